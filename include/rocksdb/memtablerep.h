// Factories that choose the data structure of a memtable.
//
// Place. ColumnFamilyOptions::memtable_factory. The structures themselves are
// inside the engine; a factory is a name and parameters. Factories of a
// program's own making are refused when a database is opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class MemTableRepFactory : public Customizable {
 public:
  ~MemTableRepFactory() override = default;
  static const char* Type() { return "MemTableRepFactory"; }

  // "SkipListFactory" or "skip_list[:lookahead]", "VectorRepFactory" or
  // "vector[:count]", "prefix_hash[:buckets]", "hash_linkedlist[:buckets]",
  // or a class name with parameters: "{id=...;name=value;}".
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::unique_ptr<MemTableRepFactory>* factory);
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& id,
                                 std::shared_ptr<MemTableRepFactory>* factory);

  const char* Name() const override = 0;

  // May several threads insert at once?
  virtual bool IsInsertConcurrentlySupported() const { return false; }
  // Does an insertion tell whether key and sequence existed already?
  virtual bool CanHandleDuplicatedKey() const { return false; }
};

// A skiplist: the default, and the only one with concurrent insertion.
class SkipListFactory : public MemTableRepFactory {
 public:
  // lookahead: entries an iterator tries before a fresh search; 0: none.
  explicit SkipListFactory(size_t lookahead = 0) : lookahead_(lookahead) {}

  static const char* kClassName() { return "SkipListFactory"; }
  static const char* kNickName() { return "skip_list"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override;
  bool IsInsertConcurrentlySupported() const override { return true; }
  bool CanHandleDuplicatedKey() const override { return true; }
  size_t lookahead() const { return lookahead_; }

 private:
  size_t lookahead_;
};

// An array, sorted when it is first read: for bulk loads without reads.
class VectorRepFactory : public MemTableRepFactory {
 public:
  // count: entries to reserve room for.
  explicit VectorRepFactory(size_t count = 0) : count_(count) {}

  static const char* kClassName() { return "VectorRepFactory"; }
  static const char* kNickName() { return "vector"; }
  const char* Name() const override { return kClassName(); }
  const char* NickName() const override { return kNickName(); }
  std::string GetId() const override;
  size_t count() const { return count_; }

 private:
  size_t count_;
};

// A hash table of skiplists by prefix; needs a prefix_extractor.
MemTableRepFactory* NewHashSkipListRepFactory(
    size_t bucket_count = 1000000, int32_t skiplist_height = 4,
    int32_t skiplist_branching_factor = 4);

// A hash table of sorted lists that become skiplists when they grow; needs a
// prefix_extractor.
MemTableRepFactory* NewHashLinkListRepFactory(
    size_t bucket_count = 50000, size_t huge_page_tlb_size = 0,
    int bucket_entries_logging_threshold = 4096,
    bool if_log_bucket_dist_when_flash = true,
    uint32_t threshold_use_skiplist = 256);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
