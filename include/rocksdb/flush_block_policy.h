// FlushBlockPolicy: where the data blocks of a table end.
//
// Place. BlockBasedTableOptions::flush_block_policy_factory. Without a factory
// a block ends by block_size and block_size_deviation.
//
// Model. One policy for each table. It sees every key and value of the table in
// ascending order, except range deletions, and says before which of them a new
// block begins. Any choice makes a table that every reader can read; blocks of
// many megabytes make each read slow. A block that would exceed 1 GiB ends
// whatever the policy says.
//
// Threads. Factories: several threads at once. A policy: one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

// The open block, for FlushBlockBySizePolicyFactory. Programs only pass it on.
class BlockBuilder;
struct ConfigOptions;

class FlushBlockPolicy {
 public:
  virtual ~FlushBlockPolicy() = default;

  // True: the open block ends, and this entry begins the next one. At the first
  // entry of a table there is nothing to end. `key` is the internal key: the
  // user's key and eight bytes. Must not throw.
  virtual bool Update(const Slice& key, const Slice& value) = 0;
};

class FlushBlockPolicyFactory : public Customizable {
 public:
  ~FlushBlockPolicyFactory() override = default;
  static const char* Type() { return "FlushBlockPolicyFactory"; }

  // "FlushBlockBySizePolicyFactory", or "FlushBlockEveryKeyPolicyFactory",
  // which gives every key a block of its own. NotSupported: another name.
  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& value,
      std::shared_ptr<FlushBlockPolicyFactory>* result);

  // A policy for one table, which the caller deletes; null: by size. Both
  // parameters live longer than the policy.
  virtual FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& table_options,
      const BlockBuilder& data_block_builder) const = 0;
};

// The rule that holds without a factory.
class FlushBlockBySizePolicyFactory : public FlushBlockPolicyFactory {
 public:
  FlushBlockBySizePolicyFactory();

  static const char* kClassName() { return "FlushBlockBySizePolicyFactory"; }
  const char* Name() const override { return kClassName(); }

  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& table_options,
      const BlockBuilder& data_block_builder) const override;

  // For a policy of the program's own that also keeps to a size.
  static FlushBlockPolicy* NewFlushBlockPolicy(
      uint64_t size, int deviation, const BlockBuilder& data_block_builder);
};

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
