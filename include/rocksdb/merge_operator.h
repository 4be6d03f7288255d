// MergeOperator: defines what DB::Merge() does.
//
// Place. ColumnFamilyOptions::merge_operator. Operands are stored as written
// and combined when a key is read, or when a compaction reaches its base value.
//
// Model. A key's history is an optional existing value and operands after it,
// oldest first. FullMergeV2() makes the value; PartialMergeMulti() may join
// adjacent operands before the base is known. An AssociativeMergeOperator
// needs only one function for both.
//
// Threads. Called from reading, flushing and compacting threads at once.
#pragma once

#include <cassert>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

class Logger;
struct ConfigOptions;

class MergeOperator : public Customizable {
 public:
  ~MergeOperator() override = default;
  static const char* Type() { return "MergeOperator"; }

  // A built-in operator: "put", "max", "uint64add", "stringappend",
  // "stringappendtest", "bytesxor", "sortlist", or their class names.
  static Status CreateFromString(const ConfigOptions& opts,
                                 const std::string& id,
                                 std::shared_ptr<MergeOperator>* result);

  // The oldest form; FullMergeV2() calls it unless overridden.
  virtual bool FullMerge(const Slice& /*key*/, const Slice* /*existing_value*/,
                         const std::deque<std::string>& /*operand_list*/,
                         std::string* /*new_value*/, Logger* /*logger*/) const {
    assert(false);
    return false;
  }

  struct MergeOperationInput {
    explicit MergeOperationInput(const Slice& _key,
                                 const Slice* _existing_value,
                                 const std::vector<Slice>& _operand_list,
                                 Logger* _logger)
        : key(_key),
          existing_value(_existing_value),
          operand_list(_operand_list),
          logger(_logger) {}

    const Slice& key;
    // Null: the key does not exist, or is deleted, below the operands.
    const Slice* existing_value;
    // Oldest first.
    const std::vector<Slice>& operand_list;
    Logger* logger;
  };

  // What a failed merge affects: only reads of the key, or also jobs that could
  // have copied the operands unmerged.
  enum class OpFailureScope {
    kDefault,
    kTryMerge,
    kMustMerge,
    kOpFailureScopeMax,
  };

  struct MergeOperationOutput {
    explicit MergeOperationOutput(std::string& _new_value,
                                  Slice& _existing_operand)
        : new_value(_new_value), existing_operand(_existing_operand) {}

    // The result, unless existing_operand is set to one of the inputs.
    std::string& new_value;
    Slice& existing_operand;
    // Read only after a failure.
    OpFailureScope op_failure_scope = OpFailureScope::kDefault;
  };

  // False makes the read fail with Corruption and a job with an error.
  virtual bool FullMergeV2(const MergeOperationInput& merge_in,
                           MergeOperationOutput* merge_out) const {
    std::deque<std::string> operands;
    for (const Slice& operand : merge_in.operand_list) {
      operands.emplace_back(operand.data(), operand.size());
    }
    return FullMerge(merge_in.key, merge_in.existing_value, operands,
                     &merge_out->new_value, merge_in.logger);
  }

  // Joins two adjacent operands; false means "cannot", not an error.
  virtual bool PartialMerge(const Slice& /*key*/, const Slice& /*left*/,
                            const Slice& /*right*/, std::string* /*new_value*/,
                            Logger* /*logger*/) const {
    return false;
  }

  // Joins adjacent operands, oldest first. The default folds PartialMerge().
  virtual bool PartialMergeMulti(const Slice& key,
                                 const std::deque<Slice>& operand_list,
                                 std::string* new_value, Logger* logger) const {
    assert(operand_list.size() >= 2);
    std::string joined = operand_list[0].ToString();
    std::string next;
    for (size_t i = 1; i < operand_list.size(); ++i) {
      next.clear();
      if (!PartialMerge(key, joined, operand_list[i], &next, logger)) {
        return false;
      }
      joined.swap(next);
    }
    *new_value = std::move(joined);
    return true;
  }

  // Stored in tables; a database must be opened with the same operator.
  const char* Name() const override = 0;

  // May PartialMergeMulti() be called with one operand?
  virtual bool AllowSingleOperand() const { return false; }

  // Asked during reads: merge now, although older operands may follow?
  virtual bool ShouldMerge(const std::vector<Slice>& /*operands*/) const {
    return false;
  }
};

// For operators whose operands have the type of the value and where
// a+(b+c) == (a+b)+c.
class AssociativeMergeOperator : public MergeOperator {
 public:
  ~AssociativeMergeOperator() override = default;

  // *new_value = existing_value (null: none) + value.
  virtual bool Merge(const Slice& key, const Slice* existing_value,
                     const Slice& value, std::string* new_value,
                     Logger* logger) const = 0;

 private:
  bool FullMergeV2(const MergeOperationInput& merge_in,
                   MergeOperationOutput* merge_out) const override {
    // Two strings swap roles, so that the input of a step never is its output.
    const Slice* existing = merge_in.existing_value;
    std::string previous;
    Slice previous_slice;
    for (const Slice& operand : merge_in.operand_list) {
      std::string joined;
      if (!Merge(merge_in.key, existing, operand, &joined, merge_in.logger)) {
        return false;
      }
      previous.swap(joined);
      previous_slice = previous;
      existing = &previous_slice;
    }
    if (!merge_in.operand_list.empty()) {
      merge_out->new_value = std::move(previous);
    } else if (existing != nullptr) {
      merge_out->new_value.assign(existing->data(), existing->size());
    }
    return true;
  }

  bool PartialMerge(const Slice& key, const Slice& left, const Slice& right,
                    std::string* new_value, Logger* logger) const override {
    return Merge(key, &left, right, new_value, logger);
  }
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
