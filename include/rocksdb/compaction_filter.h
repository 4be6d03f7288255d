// CompactionFilter: lets a program drop or change entries during compaction.
//
// Place. ColumnFamilyOptions::compaction_filter (one object, used by all
// compactions at once) or compaction_filter_factory (one per compaction or
// flush, used by one thread).
//
// Invariants the engine keeps: a value is shown only if it is the newest entry
// of its key among what the compaction reads. Older values, which snapshots or
// merge operands need, are not shown, nor those under a newer range deletion.
// Merge operands are shown one by one, deletions never. IgnoreSnapshots() is
// always taken as true: snapshots may see what is removed. Exceptions must not
// leave a filter.
#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/types.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class SliceTransform;
struct ConfigOptions;

class CompactionFilter : public Customizable {
 public:
  enum ValueType {
    kValue,
    kMergeOperand,
    kBlobIndex,
    kWideColumnEntity,
  };

  enum class Decision {
    kKeep,
    // Writes a tombstone where older versions may remain below.
    kRemove,
    // Keeps the key with *new_value.
    kChangeValue,
    // Drops this key and every key up to, not including, *skip_until,
    // without tombstones: older versions may reappear.
    kRemoveAndSkipUntil,
    kChangeBlobIndex,
    kIOError,
    // Like kRemove, with a single-delete tombstone.
    kPurge,
    kChangeWideColumnEntity,
    kUndetermined,
  };

  enum class BlobDecision { kKeep, kChangeValue, kCorruption, kIOError };

  struct Context {
    static constexpr int kUnknownStartLevel = -1;
    // All files of the column family take part.
    bool is_full_compaction = false;
    // Asked for by CompactRange() or CompactFiles().
    bool is_manual_compaction = false;
    int input_start_level = kUnknownStartLevel;  // A flush has none.
    uint32_t column_family_id = 0;
    TableFileCreationReason reason = TableFileCreationReason::kCompaction;
    // Of the input tables, by path. A flush has none.
    TablePropertiesCollection input_table_properties;
  };

  ~CompactionFilter() override = default;
  static const char* Type() { return "CompactionFilter"; }

  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& name,
                                 const CompactionFilter** result);

  // The first form: true removes the entry; *value_changed with *new_value
  // replaces it.
  virtual bool Filter(int /*level*/, const Slice& /*key*/,
                      const Slice& /*existing_value*/,
                      std::string* /*new_value*/,
                      bool* /*value_changed*/) const {
    return false;
  }
  // The same for one merge operand.
  virtual bool FilterMergeOperand(int /*level*/, const Slice& /*key*/,
                                  const Slice& /*operand*/) const {
    return false;
  }

  // The default asks the two functions above.
  virtual Decision FilterV2(int level, const Slice& key, ValueType value_type,
                            const Slice& existing_value, std::string* new_value,
                            std::string* /*skip_until*/) const {
    if (value_type == kValue) {
      bool changed = false;
      if (Filter(level, key, existing_value, new_value, &changed)) {
        return Decision::kRemove;
      }
      return changed ? Decision::kChangeValue : Decision::kKeep;
    }
    if (value_type == kMergeOperand &&
        FilterMergeOperand(level, key, existing_value)) {
      return Decision::kRemove;
    }
    return Decision::kKeep;
  }

  // The engine calls this. For an entity (kWideColumnEntity) `existing_columns`
  // is set, for all other types `existing_value`. kChangeWideColumnEntity makes
  // the entry an entity with *new_columns, in any order. The default keeps
  // entities and asks FilterV2 about the rest.
  virtual Decision FilterV3(
      int level, const Slice& key, ValueType value_type,
      const Slice* existing_value, const WideColumns* /*existing_columns*/,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* /*new_columns*/,
      std::string* skip_until) const {
    if (value_type == kWideColumnEntity) return Decision::kKeep;
    return FilterV2(level, key, value_type, *existing_value, new_value,
                    skip_until);
  }

  // False makes the compaction or flush fail: filters may not respect
  // snapshots.
  virtual bool IgnoreSnapshots() const { return true; }

  const char* Name() const override = 0;

  // Decides about a value stored in a blob file without reading it.
  virtual Decision FilterBlobByKey(int /*level*/, const Slice& /*key*/,
                                   std::string* /*new_value*/,
                                   std::string* /*skip_until*/) const {
    return Decision::kUndetermined;
  }
};

class CompactionFilterFactory : public Customizable {
 public:
  ~CompactionFilterFactory() override = default;
  static const char* Type() { return "CompactionFilterFactory"; }

  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& name,
      std::shared_ptr<CompactionFilterFactory>* result);

  // By default only compactions filter, not flushes or recovery, which writes
  // tables of what it finds in logs.
  virtual bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const {
    return reason == TableFileCreationReason::kCompaction;
  }

  // May return null: then this compaction or flush is not filtered.
  virtual std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) = 0;

  const char* Name() const override = 0;
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
