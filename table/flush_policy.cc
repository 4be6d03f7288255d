#include "table/flush_policy.h"

#include <string>

#include "table/block/block.h"
#include "table/format/block_trailer.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// The public name of a block under construction; it is never defined.
using PublicBlock = ROCKSDB_NAMESPACE::BlockBuilder;

const PublicBlock& PublicOf(const BlockBuilder& block) {
  return reinterpret_cast<const PublicBlock&>(block);
}
const BlockBuilder& BlockOf(const PublicBlock& block) {
  return reinterpret_cast<const BlockBuilder&>(block);
}

class BySizePolicy final : public FlushBlockPolicy {
 public:
  BySizePolicy(const BlockSizeRule& rule, const BlockBuilder& block)
      : rule_(rule), block_(block) {}
  bool Update(const Slice& key, const Slice& value) override {
    return rule_.IsFull(block_, key, value);
  }

 private:
  const BlockSizeRule rule_;
  const BlockBuilder& block_;
};

class EveryKeyPolicy final : public FlushBlockPolicy {
 public:
  bool Update(const Slice& /*key*/, const Slice& /*value*/) override {
    return true;
  }
};

class EveryKeyPolicyFactory final : public FlushBlockPolicyFactory {
 public:
  static const char* kClassName() { return "FlushBlockEveryKeyPolicyFactory"; }
  const char* Name() const override { return kClassName(); }
  FlushBlockPolicy* NewFlushBlockPolicy(
      const BlockBasedTableOptions& /*table_options*/,
      const PublicBlock& /*data_block_builder*/) const override {
    return new EveryKeyPolicy();
  }
};

}  // namespace

BlockSizeRule::BlockSizeRule(uint64_t size, int deviation, bool align)
    : limit_(size), trailer_(align ? kBlockTrailerSize : 0) {
  // A block of 4 KiB with what surrounds it in memory would just miss the
  // allocator's class of 4 KiB and occupy 5.
  if (!align && size >= 4096) limit_ -= Block::kOverhead;
  if (deviation > 0 && deviation <= 100) {
    early_percents_ = limit_ * static_cast<uint64_t>(100 - deviation);
  }
}

std::unique_ptr<FlushBlockPolicy> NewFlushPolicy(
    const BlockBasedTableOptions& options, const BlockBuilder& block) {
  const FlushBlockPolicyFactory* const factory =
      options.flush_block_policy_factory.get();
  if (factory == nullptr) return nullptr;
  return std::unique_ptr<FlushBlockPolicy>(
      factory->NewFlushBlockPolicy(options, PublicOf(block)));
}

}  // namespace ROCKSDB_NAMESPACE::engine

namespace ROCKSDB_NAMESPACE {

FlushBlockBySizePolicyFactory::FlushBlockBySizePolicyFactory() = default;

FlushBlockPolicy* FlushBlockBySizePolicyFactory::NewFlushBlockPolicy(
    const BlockBasedTableOptions& table_options,
    const BlockBuilder& data_block_builder) const {
  const engine::BlockSizeRule rule(table_options.block_size,
                                   table_options.block_size_deviation,
                                   table_options.block_align);
  return new engine::BySizePolicy(rule, engine::BlockOf(data_block_builder));
}

FlushBlockPolicy* FlushBlockBySizePolicyFactory::NewFlushBlockPolicy(
    uint64_t size, int deviation, const BlockBuilder& data_block_builder) {
  const engine::BlockSizeRule rule(size, deviation, /*align=*/false);
  return new engine::BySizePolicy(rule, engine::BlockOf(data_block_builder));
}

Status FlushBlockPolicyFactory::CreateFromString(
    const ConfigOptions& /*config_options*/, const std::string& value,
    std::shared_ptr<FlushBlockPolicyFactory>* result) {
  if (value == FlushBlockBySizePolicyFactory::kClassName()) {
    *result = std::make_shared<FlushBlockBySizePolicyFactory>();
  } else if (value == engine::EveryKeyPolicyFactory::kClassName()) {
    *result = std::make_shared<engine::EveryKeyPolicyFactory>();
  } else if (value.empty() || value == "nullptr") {
    result->reset();
  } else {
    return Status::NotSupported("Could not load FlushBlockPolicyFactory",
                                value);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
