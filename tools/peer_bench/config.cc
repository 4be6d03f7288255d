#include "tools/peer_bench/config.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <sstream>

namespace peer_bench {

namespace {

// One flag: how it is read, and how it is written for a child.
struct Flag {
  const char* name;
  const char* help;
  std::function<bool(const std::string&)> read;
  std::function<std::string()> write;
};

[[noreturn]] void Refuse(const std::string& text) {
  std::fprintf(stderr, "peer_bench: %s\n", text.c_str());
  std::exit(2);
}

Flag Text(const char* name, std::string* value, const char* help) {
  return {name, help,
          [value](const std::string& text) {
            *value = text;
            return true;
          },
          [value] { return *value; }};
}

Flag Number(const char* name, uint64_t* value, const char* help) {
  return {name, help,
          [value](const std::string& text) {
            char* end = nullptr;
            *value = std::strtoull(text.c_str(), &end, 10);
            return !text.empty() && *end == '\0';
          },
          [value] { return std::to_string(*value); }};
}

Flag Switch(const char* name, bool* value, const char* help) {
  return {name, help,
          [value](const std::string& text) {
            *value = text == "true" || text == "1" || text.empty();
            return *value || text == "false" || text == "0";
          },
          [value] { return std::string(*value ? "true" : "false"); }};
}

Flag List(const char* name, std::vector<std::string>* value, const char* help) {
  return {name, help,
          [value](const std::string& text) {
            value->clear();
            std::istringstream parts(text);
            for (std::string part; std::getline(parts, part, ',');) {
              value->push_back(part);
            }
            return true;
          },
          [value] {
            std::string joined;
            for (const std::string& part : *value) {
              if (!joined.empty()) joined += ",";
              joined += part;
            }
            return joined;
          }};
}

std::vector<Flag> Flags(Config* c) {
  return {
      Text("ours", &c->ours, "our library"),
      Text("peer", &c->peer, "the library to compare with"),
      Text("db", &c->db, "folder for the databases ours... and peer..."),
      List("workloads", &c->workloads, "comma separated; default: all"),
      Text("json", &c->json, "file for every run's figures"),
      Text("allocator", &c->allocator,
           "library to preload; default: jemalloc if there is one; none"),
      Number("num", &c->num, "keys of 16 bytes"),
      Number("reads", &c->reads, "lookups per run; 0: num, at most 2000000"),
      Number("value_size", &c->value_size, "bytes"),
      Number("cache_mb", &c->cache_mb, "block cache"),
      Number("write_buffer_mb", &c->write_buffer_mb, "memtable"),
      Number("block_size", &c->block_size, "bytes"),
      Number("repeats", &c->repeats, "runs per workload and library"),
      Number("threads", &c->threads, "of readwhilewriting, one writes"),
      Number("write_rate", &c->write_rate, "puts per second of that one"),
      Number("format_version", &c->format_version, "of table files"),
      Text("compression", &c->compression, "none, snappy, lz4, zstd, ..."),
      Text("cache_type", &c->cache_type, "lru or hyper_clock"),
      Switch("direct_reads", &c->direct_reads, "bypass the page cache"),
      Switch("compact", &c->compact, "compact everything before reads"),
      Text("child", &c->child, "used by the program itself"),
  };
}

[[noreturn]] void Help(const std::vector<Flag>& flags) {
  std::printf("peer_bench --peer PATH.so [flags]\n");
  for (const Flag& flag : flags) {
    std::printf("  --%-16s %s [%s]\n", flag.name, flag.help,
                flag.write().c_str());
  }
  std::exit(0);
}

std::string FindJemalloc() {
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib64",
                             "/usr/lib/aarch64-linux-gnu", "/usr/lib"}) {
    const std::string path = std::string(folder) + "/libjemalloc.so.2";
    if (std::filesystem::exists(path)) return path;
  }
  return "";
}

const Flag* FindFlag(const std::string& name, const std::vector<Flag>& flags) {
  for (const Flag& flag : flags) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

void ReadFlag(const Flag& flag, const std::string& value) {
  if (flag.read(value)) return;
  Refuse("--" + std::string(flag.name) + "=" + value + "?");
}

void CheckConfig(const Config& config) {
  if (config.peer.empty()) Refuse("--peer is needed; tools/dev peer gets one");
  if (config.num == 0 || config.repeats == 0) Refuse("nothing to measure");
  if (config.value_size < 16) Refuse("--value_size: at least 16");
  if (config.threads < 2) Refuse("--threads: at least 2");
  if (config.cache_type != "lru" && config.cache_type != "hyper_clock") {
    Refuse("--cache_type: lru or hyper_clock");
  }
}

}  // namespace

Config ParseFlags(int argc, char** argv) {
  Config config;
  const std::vector<Flag> flags = Flags(&config);
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") Help(flags);
    while (!argument.empty() && argument[0] == '-') argument.erase(0, 1);
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const Flag* const flag = FindFlag(name, flags);
    if (flag == nullptr) Refuse("unknown flag " + std::string(argv[i]));
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (i + 1 < argc && argv[i + 1][0] != '-') {
      value = argv[++i];
    }
    ReadFlag(*flag, value);
  }
  CheckConfig(config);
  if (config.reads == 0) config.reads = std::min<uint64_t>(config.num, 2000000);
  if (config.allocator.empty()) config.allocator = FindJemalloc();
  if (config.allocator == "none") config.allocator.clear();
  return config;
}

std::vector<std::string> FlagsOf(const Config& config) {
  Config copy = config;
  std::vector<std::string> result;
  for (const Flag& flag : Flags(&copy)) {
    if (std::strcmp(flag.name, "child") == 0) continue;
    if (std::strcmp(flag.name, "allocator") == 0) continue;
    result.push_back("--" + std::string(flag.name) + "=" + flag.write());
  }
  return result;
}

}  // namespace peer_bench
