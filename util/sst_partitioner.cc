#include "rocksdb/sst_partitioner.h"

#include <algorithm>
#include <charconv>

namespace ROCKSDB_NAMESPACE {

namespace {

bool SamePrefix(const Slice& a, const Slice& b, size_t len) {
  const Slice prefix_a(a.data(), std::min(len, a.size()));
  const Slice prefix_b(b.data(), std::min(len, b.size()));
  return prefix_a == prefix_b;
}

}  // namespace

PartitionerResult SstPartitionerFixedPrefix::ShouldPartition(
    const PartitionerRequest& request) {
  return SamePrefix(*request.prev_user_key, *request.current_user_key, len_)
             ? kNotRequired
             : kRequired;
}

bool SstPartitionerFixedPrefix::CanDoTrivialMove(
    const Slice& smallest_user_key, const Slice& largest_user_key) {
  return SamePrefix(smallest_user_key, largest_user_key, len_);
}

std::unique_ptr<SstPartitioner>
SstPartitionerFixedPrefixFactory::CreatePartitioner(
    const SstPartitioner::Context& /*context*/) const {
  return std::make_unique<SstPartitionerFixedPrefix>(len_);
}

std::shared_ptr<SstPartitionerFactory> NewSstPartitionerFixedPrefixFactory(
    size_t prefix_len) {
  return std::make_shared<SstPartitionerFixedPrefixFactory>(prefix_len);
}

// Takes "nullptr" and "{id=SstPartitionerFixedPrefixFactory;length=<n>;}".
Status SstPartitionerFactory::CreateFromString(
    const ConfigOptions& /*options*/, const std::string& value,
    std::shared_ptr<SstPartitionerFactory>* result) {
  if (value.empty() || value == "nullptr") {
    result->reset();
    return Status::OK();
  }
  constexpr char kLength[] = "length=";
  const size_t at = value.find(kLength);
  if (value.find(SstPartitionerFixedPrefixFactory::kClassName()) ==
          std::string::npos ||
      at == std::string::npos) {
    return Status::NotSupported("Could not load SstPartitionerFactory", value);
  }
  size_t length = 0;
  const char* const begin = value.data() + at + sizeof(kLength) - 1;
  const auto [stop, error] =
      std::from_chars(begin, value.data() + value.size(), length);
  if (error != std::errc()) {
    return Status::InvalidArgument("SstPartitionerFixedPrefixFactory: length",
                                   value);
  }
  *result = NewSstPartitionerFixedPrefixFactory(length);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
