// SstPartitioner: asks for a new output file at given key boundaries.
//
// Place. ColumnFamilyOptions::sst_partitioner_factory; one partitioner per
// compaction, used by one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

enum PartitionerResult : char { kNotRequired = 0x0, kRequired = 0x1 };

struct PartitionerRequest {
  PartitionerRequest(const Slice& prev_user_key_,
                     const Slice& current_user_key_,
                     uint64_t current_output_file_size_)
      : prev_user_key(&prev_user_key_),
        current_user_key(&current_user_key_),
        current_output_file_size(current_output_file_size_) {}

  const Slice* prev_user_key;
  const Slice* current_user_key;
  uint64_t current_output_file_size;
};

class SstPartitioner {
 public:
  virtual ~SstPartitioner() = default;
  virtual const char* Name() const = 0;

  // kRequired: current_user_key starts a new file.
  virtual PartitionerResult ShouldPartition(
      const PartitionerRequest& request) = 0;

  // May a file with this range move to another level unread? False if a
  // boundary lies inside it.
  virtual bool CanDoTrivialMove(const Slice& smallest_user_key,
                                const Slice& largest_user_key) = 0;

  struct Context {
    bool is_full_compaction = false;
    bool is_manual_compaction = false;
    int output_level = -1;
    Slice smallest_user_key;
    Slice largest_user_key;
  };
};

class SstPartitionerFactory : public Customizable {
 public:
  ~SstPartitionerFactory() override = default;
  static const char* Type() { return "SstPartitionerFactory"; }

  static Status CreateFromString(
      const ConfigOptions& options, const std::string& value,
      std::shared_ptr<SstPartitionerFactory>* result);

  virtual std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const = 0;

  const char* Name() const override = 0;
};

// Keys that differ in their first `len` bytes go to different files.
class SstPartitionerFixedPrefix : public SstPartitioner {
 public:
  explicit SstPartitionerFixedPrefix(size_t len) : len_(len) {}
  const char* Name() const override { return "SstPartitionerFixedPrefix"; }
  PartitionerResult ShouldPartition(const PartitionerRequest& request) override;
  bool CanDoTrivialMove(const Slice& smallest_user_key,
                        const Slice& largest_user_key) override;

 private:
  size_t len_;
};

class SstPartitionerFixedPrefixFactory : public SstPartitionerFactory {
 public:
  explicit SstPartitionerFixedPrefixFactory(size_t len) : len_(len) {}
  static const char* kClassName() { return "SstPartitionerFixedPrefixFactory"; }
  const char* Name() const override { return kClassName(); }
  std::unique_ptr<SstPartitioner> CreatePartitioner(
      const SstPartitioner::Context& context) const override;
  // What options text needs to make an equal one.
  size_t length() const { return len_; }

 private:
  size_t len_;
};

std::shared_ptr<SstPartitionerFactory> NewSstPartitionerFixedPrefixFactory(
    size_t prefix_len);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
