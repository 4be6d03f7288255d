// The command line of ldb: --name=value and --name words, a command, the rest.
//
// Place. Parsed once by tool.cc; read by the session and the commands.
//
// Bytes. Keys and values may be given as 0x... (--key_hex, --value_hex, --hex
// for both) and are printed the same way.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/ldb_tool.h"
#include "rocksdb/slice.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::ldb {

// What the program that runs ldb gives in addition to the command line.
struct Host {
  Options options;
  LDBOptions tool;
  std::vector<ColumnFamilyDescriptor> families;  // Of some, or none.
};

class Arguments {
 public:
  // `words` without the program's name. `host` must outlive this.
  Arguments(const std::vector<std::string>& words, const Host* host);

  const Host& host() const { return *host_; }

  // Empty when there was none.
  const std::string& command() const { return command_; }
  // What follows the command and is no flag.
  const std::vector<std::string>& parameters() const { return parameters_; }
  const std::map<std::string, std::string>& flags() const { return flags_; }

  void Set(const std::string& flag, const std::string& value) {
    flags_[flag] = value;
  }
  bool Has(const std::string& flag) const { return flags_.contains(flag); }
  std::string Text(const std::string& flag,
                   const std::string& fallback = "") const;
  // --flag, --flag=true, --flag=1; absent: `fallback`.
  bool Bool(const std::string& flag, bool fallback = false) const;
  // Errors: InvalidArgument for what is no number.
  engine::Result<uint64_t> Number(const std::string& flag,
                                  uint64_t fallback) const;

  bool json() const { return Bool("json"); }
  bool key_hex() const { return Bool("hex") || Bool("key_hex"); }
  bool value_hex() const { return Bool("hex") || Bool("value_hex"); }
  engine::Result<std::string> Key(const std::string& word) const;
  engine::Result<std::string> Value(const std::string& word) const;
  // The key given by a flag, or nothing.
  engine::Result<std::optional<std::string>> KeyFlag(
      const std::string& flag) const;
  std::string ShowKey(const Slice& key) const;
  std::string ShowValue(const Slice& value) const;

 private:
  const Host* host_;
  std::string command_;
  std::vector<std::string> parameters_;
  std::map<std::string, std::string> flags_;
};

// "0x6B31" for "k1".
std::string ToHex(const Slice& bytes);

}  // namespace ROCKSDB_NAMESPACE::ldb
