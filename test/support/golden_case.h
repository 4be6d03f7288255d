// One database of those that genuine RocksDB wrote, with the text that says
// what is in it.
//
// Place. Tests over all of them (test/golden) open a copy, rewrite it, hand it
// to others, and compare with the text each time. The folder's README tells the
// form of the texts; test/support/golden.h tells where it is.
//
// Threads. One at a time.

#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"

namespace ROCKSDB_NAMESPACE::test {

// One row as the expected texts write it, and its key.
struct GoldenRow {
  std::string key;
  std::string text;
  bool operator==(const GoldenRow&) const = default;
};
struct GoldenFamily {
  std::string name;
  std::string comparator;
  std::vector<GoldenRow> rows;
};

// Hex, or "BB*N".
std::string GoldenValueText(const Slice& value);
std::vector<GoldenFamily> ReadGoldenText(const std::string& text);

// Every case, as a path below the folder; without the folder one, "none".
std::vector<std::string> GoldenCases();
// A case's path as a test's name.
std::string GoldenTestName(const std::string& path);

struct OpenedFamilies {
  std::unique_ptr<DB> db;
  std::map<std::string, ColumnFamilyHandle*> handles;
  OpenedFamilies() = default;
  OpenedFamilies(const OpenedFamilies&) = delete;
  OpenedFamilies& operator=(const OpenedFamilies&) = delete;
  ~OpenedFamilies();
};

// How a case is opened.
enum class GoldenOpening {
  kReadOnly,
  kAsReader,  // With what reading depends on, otherwise our defaults.
  kAsWriter,  // With all of its OPTIONS file: what is written is of its kind.
};

// A copy of a case, which goes with the object's folder.
class GoldenCopy {
 public:
  // Copies the case at `source` to `folder`, which must not exist.
  GoldenCopy(const std::filesystem::path& source,
             const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  std::string db() const { return (folder_ / "db").string(); }
  const std::string& name() const { return name_; }
  const std::vector<GoldenFamily>& expected() const { return expected_; }
  // How many bytes at the end of each value only its writer knows.
  size_t hidden_suffix() const { return name_ == "ttl" ? 4 : 0; }

  Status Open(GoldenOpening opening, OpenedFamilies* opened) const;
  // Everything the open database shows against the text: forwards, backwards,
  // key by key. Appends to *difference; an error ends it.
  Status Compare(const OpenedFamilies& opened, std::string* difference) const;

 private:
  Status LoadOptions(GoldenOpening opening, DBOptions* options,
                     std::vector<ColumnFamilyDescriptor>* families) const;
  WideColumns Shown(const WideColumns& columns) const;
  Status CompareScan(DB* db, ColumnFamilyHandle* handle,
                     const GoldenFamily& family, std::string* difference) const;
  Status CompareOtherReads(DB* db, ColumnFamilyHandle* handle,
                           const GoldenFamily& family,
                           std::string* difference) const;

  const std::filesystem::path folder_;
  const std::string name_;
  std::vector<GoldenFamily> expected_;
};

}  // namespace ROCKSDB_NAMESPACE::test
