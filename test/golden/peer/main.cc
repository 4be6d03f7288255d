// peer_dump: what a genuine RocksDB reads in a database, and, if told to, how
// it looks after that RocksDB has rewritten every table.
//
//   peer_dump LIBRARY DATABASE [compact] [strip=N] [path=DIR:BYTES]...
//             [cf_path=FAMILY:DIR:BYTES]...
//
// Place. Tests run it as a process of its own, because two libraries with the
// same names do not share one. It asks through the C interface, which all
// releases export, with the options of the database's own OPTIONS file.
//
// Output, per family: "cf name=HEX", then "k=HEX[ ts=HEX] v=VALUE" per row, as
// the texts next to the golden databases have it; of an entity the default
// column, because the C interface shows no others. The last line is "end". An
// error is a line "error ..." and exit code 1; so is a row that point lookups
// or the way backwards do not show.

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Db;
struct Options;
struct Family;
struct ReadOptions;
struct Iterator;
struct CompactOptions;
struct DbPath;

struct Api {
  void (*load_latest_options)(const char*, void*, bool, void*, Options**,
                              size_t*, char***, Options***, char**);
  char** (*list_column_families)(const Options*, const char*, size_t*, char**);
  void* (*create_default_env)();
  void* (*cache_create_lru)(size_t);
  void (*options_set_db_paths)(Options*, const DbPath**, size_t);
  void (*options_set_cf_paths)(Options*, const DbPath**, size_t);  // Or null.
  DbPath* (*dbpath_create)(const char*, uint64_t);
  void (*options_set_disable_auto_compactions)(Options*, int);
  void (*options_set_compaction_style)(Options*, int);
  Options* (*options_create)();
  Db* (*open_column_families)(const Options*, const char*, int,
                              const char* const*, const Options* const*,
                              Family**, char**);
  void (*close)(Db*);
  void (*column_family_handle_destroy)(Family*);
  ReadOptions* (*readoptions_create)();
  void (*readoptions_set_total_order_seek)(ReadOptions*, unsigned char);
  void (*readoptions_set_timestamp)(ReadOptions*, const char*, size_t);
  Iterator* (*create_iterator_cf)(Db*, const ReadOptions*, Family*);
  void (*iter_destroy)(Iterator*);
  unsigned char (*iter_valid)(const Iterator*);
  void (*iter_seek_to_first)(Iterator*);
  void (*iter_seek_to_last)(Iterator*);
  void (*iter_next)(Iterator*);
  void (*iter_prev)(Iterator*);
  const char* (*iter_key)(const Iterator*, size_t*);
  const char* (*iter_value)(const Iterator*, size_t*);
  const char* (*iter_timestamp)(const Iterator*, size_t*);
  void (*iter_get_error)(const Iterator*, char**);
  char* (*get_cf)(Db*, const ReadOptions*, Family*, const char*, size_t,
                  size_t*, char**);
  CompactOptions* (*compactoptions_create)();
  void (*compactoptions_set_bottommost_level_compaction)(CompactOptions*,
                                                         unsigned char);
  void (*compact_range_cf_opt)(Db*, Family*, CompactOptions*, const char*,
                               size_t, const char*, size_t);
  void (*verify_checksum)(Db*, char**);  // Or null: before 8.
};

int failures = 0;

void Error(const std::string& what) {
  if (failures++ < 10) std::printf("error %s\n", what.c_str());
}

void Must(const char* what, const char* error) {
  if (error == nullptr) return;
  std::printf("error %s: %s\n", what, error);
  std::fflush(stdout);
  std::_Exit(1);
}

template <typename Function>
void Find(void* library, const char* name, bool needed, Function* function) {
  *function = reinterpret_cast<Function>(
      dlsym(library, (std::string("rocksdb_") + name).c_str()));
  if (needed && *function == nullptr) Must(name, "the library has none");
}

Api Load(const char* path) {
  // Lazy: a library may name functions of programs that are not here, as one
  // for Java does.
  void* const library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) Must("dlopen", dlerror());
  Api api;
#define PEER_FIND(name) Find(library, #name, true, &api.name)
  PEER_FIND(load_latest_options);
  PEER_FIND(list_column_families);
  PEER_FIND(create_default_env);
  PEER_FIND(cache_create_lru);
  PEER_FIND(options_set_db_paths);
  PEER_FIND(dbpath_create);
  PEER_FIND(options_set_disable_auto_compactions);
  PEER_FIND(options_set_compaction_style);
  PEER_FIND(options_create);
  PEER_FIND(open_column_families);
  PEER_FIND(close);
  PEER_FIND(column_family_handle_destroy);
  PEER_FIND(readoptions_create);
  PEER_FIND(readoptions_set_total_order_seek);
  PEER_FIND(readoptions_set_timestamp);
  PEER_FIND(create_iterator_cf);
  PEER_FIND(iter_destroy);
  PEER_FIND(iter_valid);
  PEER_FIND(iter_seek_to_first);
  PEER_FIND(iter_seek_to_last);
  PEER_FIND(iter_next);
  PEER_FIND(iter_prev);
  PEER_FIND(iter_key);
  PEER_FIND(iter_value);
  PEER_FIND(iter_timestamp);
  PEER_FIND(iter_get_error);
  PEER_FIND(get_cf);
  PEER_FIND(compactoptions_create);
  PEER_FIND(compactoptions_set_bottommost_level_compaction);
  PEER_FIND(compact_range_cf_opt);
#undef PEER_FIND
  Find(library, "options_set_cf_paths", false, &api.options_set_cf_paths);
  Find(library, "verify_checksum", false, &api.verify_checksum);
  return api;
}

std::string Hex(const char* data, size_t size) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    const auto byte = static_cast<unsigned char>(data[i]);
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & 15]);
  }
  return text;
}

std::string ValueText(const std::string& value) {
  const bool same =
      value.size() > 64 && value == std::string(value.size(), value[0]);
  if (!same) return Hex(value.data(), value.size());
  return Hex(value.data(), 1) + "*" + std::to_string(value.size());
}

struct PathOption {
  std::string family;  // Of a cf_path.
  std::string folder;
  uint64_t bytes = 0;
};

struct Arguments {
  std::string database;
  bool compact = false;
  size_t strip = 0;  // Bytes at the end of values that are not shown.
  std::vector<PathOption> paths;
  std::vector<PathOption> family_paths;
};

PathOption ParsePath(std::string text, bool has_family) {
  PathOption path;
  if (has_family) {
    path.family = text.substr(0, text.find(':'));
    text.erase(0, path.family.size() + 1);
  }
  path.folder = text.substr(0, text.rfind(':'));
  path.bytes =
      std::strtoull(text.c_str() + path.folder.size() + 1, nullptr, 10);
  return path;
}

Arguments Parse(int argc, char** argv) {
  Arguments arguments;
  arguments.database = argv[2];
  for (int i = 3; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "compact") {
      arguments.compact = true;
    } else if (word.rfind("strip=", 0) == 0) {
      arguments.strip = std::strtoul(word.c_str() + 6, nullptr, 10);
    } else if (word.rfind("path=", 0) == 0) {
      arguments.paths.push_back(ParsePath(word.substr(5), false));
    } else if (word.rfind("cf_path=", 0) == 0) {
      arguments.family_paths.push_back(ParsePath(word.substr(8), true));
    } else {
      Must("argument", argv[i]);
    }
  }
  return arguments;
}

class Dump {
 public:
  Dump(const Api& api, Arguments arguments)
      : api_(api), arguments_(std::move(arguments)) {}

  void Open();
  void CompactIfTold();
  void Print();
  void Close();

 private:
  Iterator* Begin(Family* family);
  void PrintFamily(Family* family);
  void CheckPoint(Family* family, const std::string& key,
                  const std::string& value);
  std::string Value(const Iterator* it) const;

  const Api& api_;
  const Arguments arguments_;
  Db* db_ = nullptr;
  std::vector<std::string> names_;
  std::vector<Family*> families_;
  ReadOptions* read_ = nullptr;  // Of the family at hand ...
  bool has_timestamps_ = false;  // ... and whether it has timestamps.
};

void Dump::Open() {
  Options* db_options = nullptr;
  size_t count = 0;
  char** names = nullptr;
  Options** family_options = nullptr;
  char* error = nullptr;
  api_.load_latest_options(arguments_.database.c_str(),
                           api_.create_default_env(), true,
                           api_.cache_create_lru(8 << 20), &db_options, &count,
                           &names, &family_options, &error);
  Must("load_latest_options", error);
  size_t listed = 0;
  char** const all = api_.list_column_families(
      db_options, arguments_.database.c_str(), &listed, &error);
  Must("list_column_families", error);
  std::vector<const Options*> options;
  std::vector<const char*> opened;
  for (size_t i = 0; i < listed; ++i) {
    Options* given = nullptr;
    for (size_t j = 0; j < count; ++j) {
      if (std::strcmp(names[j], all[i]) == 0) given = family_options[j];
    }
    if (given == nullptr) given = api_.options_create();
    api_.options_set_disable_auto_compactions(given, 1);
    api_.options_set_compaction_style(given, 0);
    for (const PathOption& path : arguments_.family_paths) {
      if (path.family != all[i]) continue;
      const DbPath* one = api_.dbpath_create(path.folder.c_str(), path.bytes);
      api_.options_set_cf_paths(given, &one, 1);
    }
    opened.push_back(all[i]);
    names_.emplace_back(all[i]);
    options.push_back(given);
  }
  std::vector<const DbPath*> paths;
  for (const PathOption& path : arguments_.paths) {
    paths.push_back(api_.dbpath_create(path.folder.c_str(), path.bytes));
  }
  if (!paths.empty()) {
    api_.options_set_db_paths(db_options, paths.data(), paths.size());
  }
  families_.resize(listed);
  db_ = api_.open_column_families(db_options, arguments_.database.c_str(),
                                  static_cast<int>(listed), opened.data(),
                                  options.data(), families_.data(), &error);
  Must("open", error);
  if (api_.verify_checksum != nullptr) {
    api_.verify_checksum(db_, &error);
    Must("verify_checksum", error);
  }
}

void Dump::CompactIfTold() {
  if (!arguments_.compact) return;
  constexpr unsigned char kForce = 2;
  CompactOptions* const options = api_.compactoptions_create();
  api_.compactoptions_set_bottommost_level_compaction(options, kForce);
  for (Family* family : families_) {
    api_.compact_range_cf_opt(db_, family, options, nullptr, 0, nullptr, 0);
  }
}

// An iterator on the first row. Whether the family has timestamps shows when
// it is read without one.
Iterator* Dump::Begin(Family* family) {
  static const std::string kNewest(8, '\xff');
  for (const bool timestamp : {false, true}) {
    read_ = api_.readoptions_create();
    api_.readoptions_set_total_order_seek(read_, 1);
    if (timestamp) {
      api_.readoptions_set_timestamp(read_, kNewest.data(), kNewest.size());
    }
    Iterator* const it = api_.create_iterator_cf(db_, read_, family);
    api_.iter_seek_to_first(it);
    char* error = nullptr;
    api_.iter_get_error(it, &error);
    if (error == nullptr) {
      has_timestamps_ = timestamp;
      return it;
    }
    if (timestamp || std::strstr(error, "timestamp") == nullptr) {
      Must("iterator", error);
    }
    api_.iter_destroy(it);
  }
  return nullptr;
}

std::string Dump::Value(const Iterator* it) const {
  size_t size = 0;
  const char* const data = api_.iter_value(it, &size);
  return {data, size};
}

void Dump::CheckPoint(Family* family, const std::string& key,
                      const std::string& value) {
  size_t size = 0;
  char* error = nullptr;
  char* const found =
      api_.get_cf(db_, read_, family, key.data(), key.size(), &size, &error);
  const std::string name = Hex(key.data(), key.size());
  if (error != nullptr) {
    Error("get " + name + ": " + error);
  } else if (found == nullptr) {
    Error("get " + name + ": nothing");
  } else if (std::string(found, size) != value) {
    Error("get " + name + ": " + Hex(found, size));
  }
  std::free(found);
}

void Dump::PrintFamily(Family* family) {
  Iterator* const it = Begin(family);
  size_t rows = 0;
  for (; api_.iter_valid(it); api_.iter_next(it), ++rows) {
    size_t size = 0;
    const char* data = api_.iter_key(it, &size);
    const std::string key(data, size);
    std::string text = "k=" + Hex(data, size);
    if (has_timestamps_) {
      data = api_.iter_timestamp(it, &size);
      text += " ts=" + Hex(data, size);
    }
    const std::string value = Value(it);
    std::string shown = value;
    shown.resize(shown.size() - std::min(shown.size(), arguments_.strip));
    std::printf("%s v=%s\n", text.c_str(), ValueText(shown).c_str());
    CheckPoint(family, key, value);
  }
  char* error = nullptr;
  api_.iter_get_error(it, &error);
  Must("iterator", error);
  size_t backwards = 0;
  for (api_.iter_seek_to_last(it); api_.iter_valid(it); api_.iter_prev(it)) {
    ++backwards;
  }
  api_.iter_get_error(it, &error);
  Must("iterator backwards", error);
  if (backwards != rows) {
    Error("backwards " + std::to_string(backwards) + " rows, forwards " +
          std::to_string(rows));
  }
  api_.iter_destroy(it);
}

void Dump::Print() {
  for (size_t i = 0; i < families_.size(); ++i) {
    std::printf("cf name=%s\n",
                Hex(names_[i].data(), names_[i].size()).c_str());
    PrintFamily(families_[i]);
  }
  std::printf("end\n");
}

void Dump::Close() {
  for (Family* family : families_) api_.column_family_handle_destroy(family);
  api_.close(db_);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: peer_dump LIBRARY DATABASE [compact] ...\n");
    return 2;
  }
  const Api api = Load(argv[1]);
  Dump dump(api, Parse(argc, argv));
  dump.Open();
  dump.CompactIfTold();
  dump.Print();
  dump.Close();
  std::fflush(stdout);
  std::_Exit(failures > 0 ? 1 : 0);
}
