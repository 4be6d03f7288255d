#include "db/format/file_names.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdio>
#include <memory>
#include <utility>

#include "env/space/trash.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// CURRENT and IDENTITY hold a few dozen bytes; what is longer is not ours.
constexpr size_t kTextFileSizeMax = 4096;

std::string Numbered(const char* prefix, uint64_t number, const char* suffix) {
  char digits[24];
  std::snprintf(digits, sizeof(digits), "%06llu",
                static_cast<unsigned long long>(number));
  return std::string(prefix) + digits + suffix;
}

std::string Join(const std::string& dir, const std::string& base) {
  return dir + "/" + base;
}

bool ConsumePrefix(std::string_view* text, std::string_view prefix) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

// Takes decimal digits off the front; false without any, or for a number that
// no file has.
bool ConsumeNumber(std::string_view* text, uint64_t* number) {
  uint64_t value = 0;
  size_t digits = 0;
  while (digits < text->size() && (*text)[digits] >= '0' &&
         (*text)[digits] <= '9') {
    const uint64_t digit = static_cast<uint64_t>((*text)[digits] - '0');
    if (value > (kFileNumberMax - digit) / 10) return false;
    value = value * 10 + digit;
    ++digits;
  }
  if (digits == 0) return false;
  text->remove_prefix(digits);
  *number = value;
  return true;
}

bool ParseInfoLogName(std::string_view name, std::string_view prefix,
                      ParsedFileName* parsed) {
  if (prefix.empty() || !ConsumePrefix(&name, prefix)) return false;
  parsed->type = kInfoLogFile;
  if (name.empty() || name == ".old") return true;
  return ConsumePrefix(&name, ".old.") &&
         ConsumeNumber(&name, &parsed->number) && name.empty();
}

// MANIFEST-N, OPTIONS-N and the others that start with a word.
bool ParseWordName(std::string_view name, ParsedFileName* parsed) {
  static constexpr std::array<std::pair<std::string_view, FileType>, 4> kWords =
      {{{"MANIFEST-", kDescriptorFile},
        {"OPTIONS-", kOptionsFile},
        {"METADB-", kMetaDatabase},
        {"COMPACTION_PROGRESS-", kCompactionProgressFile}}};
  for (const auto& [word, type] : kWords) {
    std::string_view rest = name;
    if (!ConsumePrefix(&rest, word)) continue;
    if (!ConsumeNumber(&rest, &parsed->number)) return false;
    parsed->type = type;
    if (rest.empty()) return true;
    const bool may_be_temporary =
        type == kOptionsFile || type == kCompactionProgressFile;
    if (!may_be_temporary || rest != ".dbtmp") return false;
    parsed->type = kTempFile;
    return true;
  }
  return false;
}

bool ParseNumberedName(std::string_view name, ParsedFileName* parsed) {
  static constexpr std::array<std::pair<std::string_view, FileType>, 5>
      kSuffixes = {{{".log", kWalFile},
                    {".sst", kTableFile},
                    {".ldb", kTableFile},
                    {".blob", kBlobFile},
                    {".dbtmp", kTempFile}}};
  if (!ConsumeNumber(&name, &parsed->number)) return false;
  for (const auto& [suffix, type] : kSuffixes) {
    if (name == suffix) {
      parsed->type = type;
      return true;
    }
  }
  return false;
}

Result<std::string> ReadTextFile(FileSystem* fs, const std::string& name) {
  std::unique_ptr<FSSequentialFile> file;
  const Status opened =
      fs->NewSequentialFile(name, FileOptions(), &file, nullptr);
  // Callers hear one of the two ways to say so.
  if (opened.IsPathNotFound()) return Status::NotFound(name, "no such file");
  if (!opened.ok()) return opened;
  std::string text;
  char scratch[512];
  while (text.size() <= kTextFileSizeMax) {
    Slice part;
    RETURN_IF_ERROR(
        file->Read(sizeof(scratch), IOOptions(), &part, scratch, nullptr));
    if (part.empty()) return text;
    text.append(part.data(), part.size());
  }
  return Status::Corruption(name, "expected at most " +
                                      std::to_string(kTextFileSizeMax) +
                                      " bytes of text, found more");
}

IOStatus RenameSynced(FileSystem* fs, const std::string& from,
                      const std::string& db, const std::string& to,
                      FSDirectory* directory) {
  IOStatus status = fs->RenameFile(from, to, IOOptions(), nullptr);
  if (!status.ok()) return status;
  if (directory == nullptr) return SyncDirectory(fs, db);
  return directory->FsyncWithDirOptions(IOOptions(), nullptr,
                                        DirFsyncOptions(to));
}

}  // namespace

std::string LogBaseName(uint64_t number) {
  return Numbered("", number, ".log");
}
std::string TableBaseName(uint64_t number) {
  return Numbered("", number, ".sst");
}
std::string BlobBaseName(uint64_t number) {
  return Numbered("", number, ".blob");
}
std::string DescriptorBaseName(uint64_t number) {
  return Numbered("MANIFEST-", number, "");
}
std::string OptionsBaseName(uint64_t number) {
  return Numbered("OPTIONS-", number, "");
}

std::string LogFileName(const std::string& wal_dir, uint64_t number) {
  return Join(wal_dir, LogBaseName(number));
}
std::string ArchivalDirectory(const std::string& wal_dir) {
  return Join(wal_dir, "archive");
}
std::string TableFileName(const std::string& dir, uint64_t number) {
  return Join(dir, TableBaseName(number));
}
std::string TableFileName(const std::vector<std::string>& dirs, uint64_t number,
                          uint32_t path_id) {
  return TableFileName(path_id < dirs.size() ? dirs[path_id] : dirs.back(),
                       number);
}
std::string OldTableFileName(const std::string& dir, uint64_t number) {
  return Join(dir, Numbered("", number, ".ldb"));
}
std::string BlobFileName(const std::string& dir, uint64_t number) {
  return Join(dir, BlobBaseName(number));
}
std::string DescriptorFileName(const std::string& db, uint64_t number) {
  return Join(db, DescriptorBaseName(number));
}
std::string CurrentFileName(const std::string& db) {
  return Join(db, "CURRENT");
}
std::string LockFileName(const std::string& db) { return Join(db, "LOCK"); }
std::string IdentityFileName(const std::string& db) {
  return Join(db, "IDENTITY");
}
std::string OptionsFileName(const std::string& db, uint64_t number) {
  return Join(db, OptionsBaseName(number));
}
std::string TempOptionsFileName(const std::string& db, uint64_t number) {
  return Join(db, OptionsBaseName(number) + ".dbtmp");
}
std::string TempFileName(const std::string& db, uint64_t number) {
  return Join(db, Numbered("", number, ".dbtmp"));
}

std::string InfoLogPrefix(const std::string& db, const std::string& log_dir) {
  if (log_dir.empty()) return "LOG";
  std::string prefix;
  for (size_t i = 0; i < db.size(); ++i) {
    const char c = db[i];
    if (i == 0 && c == '/') continue;
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                      c == '_';
    prefix.push_back(kept ? c : '_');
  }
  return prefix + "_LOG";
}
std::string InfoLogPrefixOf(FileSystem* fs, const std::string& db,
                            const std::string& log_dir) {
  std::string path;
  if (!fs->GetAbsolutePath(db, IOOptions(), &path, nullptr).ok()) path = db;
  return InfoLogPrefix(path, log_dir);
}
std::string InfoLogFileName(const std::string& db, const std::string& log_dir) {
  return Join(log_dir.empty() ? db : log_dir, InfoLogPrefix(db, log_dir));
}

bool ParseFileName(std::string_view name, std::string_view info_log_prefix,
                   ParsedFileName* parsed) {
  *parsed = ParsedFileName();
  if (name == "CURRENT" || name == "LOCK" || name == "IDENTITY") {
    parsed->type = name == "CURRENT" ? kCurrentFile
                   : name == "LOCK"  ? kDBLockFile
                                     : kIdentityFile;
    return true;
  }
  if (ParseInfoLogName(name, info_log_prefix, parsed)) return true;
  *parsed = ParsedFileName();
  if (ParseWordName(name, parsed)) return true;
  *parsed = ParsedFileName();
  parsed->archived = ConsumePrefix(&name, "archive/");
  return ParseNumberedName(name, parsed) &&
         (!parsed->archived || parsed->type == kWalFile);
}

bool IsTrashName(std::string_view name) { return name.ends_with(kTrashSuffix); }

bool ParseTrashName(std::string_view name, ParsedFileName* parsed) {
  if (!IsTrashName(name)) return false;
  name.remove_suffix(kTrashSuffix.size());
  if (ParseFileName(name, parsed)) return true;
  while (!name.empty() && name.back() >= '0' && name.back() <= '9') {
    name.remove_suffix(1);
  }
  return ParseFileName(name, parsed);
}

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string ParentDirectory(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

Status ListIfThere(FileSystem* fs, const std::string& dir,
                   std::vector<std::string>* names) {
  const Status status = fs->GetChildren(dir, IOOptions(), names, nullptr);
  return IsMissing(status) ? Status::OK() : status;
}

IOStatus WriteFileSynced(FileSystem* fs, const std::string& name,
                         const std::string& data) {
  std::unique_ptr<FSWritableFile> file;
  IOStatus status = fs->NewWritableFile(name, FileOptions(), &file, nullptr);
  if (!status.ok()) return status;
  status = file->Append(data, IOOptions(), nullptr);
  if (status.ok()) status = file->Sync(IOOptions(), nullptr);
  IOStatus closed = file->Close(IOOptions(), nullptr);
  return status.ok() ? closed : status;
}

IOStatus SyncDirectory(FileSystem* fs, const std::string& dir) {
  std::unique_ptr<FSDirectory> directory;
  IOStatus status = fs->NewDirectory(dir, IOOptions(), &directory, nullptr);
  if (!status.ok()) return status;
  status =
      directory->FsyncWithDirOptions(IOOptions(), nullptr, DirFsyncOptions());
  IOStatus closed = directory->Close(IOOptions(), nullptr);
  return status.ok() ? closed : status;
}

IOStatus SetCurrentFile(FileSystem* fs, const std::string& db, uint64_t number,
                        FSDirectory* directory) {
  assert(number != 0);
  const std::string temporary = TempFileName(db, number);
  IOStatus status =
      WriteFileSynced(fs, temporary, DescriptorBaseName(number) + "\n");
  if (status.ok()) {
    status = RenameSynced(fs, temporary, db, CurrentFileName(db), directory);
  }
  if (!status.ok()) {
    // Whether or not this succeeds, the error above is the news.
    fs->DeleteFile(temporary, IOOptions(), nullptr).PermitUncheckedError();
  }
  return status;
}

Result<uint64_t> ReadCurrentFile(FileSystem* fs, const std::string& db) {
  const std::string name = CurrentFileName(db);
  Result<std::string> text = ReadTextFile(fs, name);
  if (!text.ok()) {
    if (text.status().IsNotFound()) {
      return Status::NotFound(name,
                              "expected the name of a MANIFEST, found "
                              "no such file");
    }
    return text.status();
  }
  if (text->empty() || text->back() != '\n') {
    return Status::Corruption("CURRENT file does not end with newline", name);
  }
  text->pop_back();
  ParsedFileName parsed;
  if (!ParseFileName(*text, "", &parsed) || parsed.type != kDescriptorFile) {
    return Status::Corruption(
        name, "expected MANIFEST-<number>, found '" + *text + "'");
  }
  return parsed.number;
}

Result<std::string> ReadIdentityFile(FileSystem* fs, const std::string& db) {
  Result<std::string> text = ReadTextFile(fs, IdentityFileName(db));
  if (!text.ok()) return text;
  while (!text->empty() && text->back() == '\n') text->pop_back();
  return text;
}

IOStatus WriteIdentityFile(FileSystem* fs, const std::string& db,
                           const std::string& id) {
  const std::string temporary = TempFileName(db, 0);
  IOStatus status = WriteFileSynced(fs, temporary, id);
  if (status.ok()) {
    status = RenameSynced(fs, temporary, db, IdentityFileName(db), nullptr);
  }
  if (!status.ok()) {
    fs->DeleteFile(temporary, IOOptions(), nullptr).PermitUncheckedError();
  }
  return status;
}

}  // namespace ROCKSDB_NAMESPACE::engine
