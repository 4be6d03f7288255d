// FilterPolicy: makes filters that tell which keys are certainly not in a
// table.
//
// Place. BlockBasedTableOptions::filter_policy. A filter is made per table
// and asked before the index; the table names its kind, so any built-in policy
// reads all built-in filters.
#pragma once

#include <memory>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

struct ConfigOptions;

class FilterPolicy : public Customizable {
 public:
  ~FilterPolicy() override = default;
  static const char* Type() { return "FilterPolicy"; }

  // The name written into tables.
  virtual const char* CompatibilityName() const = 0;

  // "bloomfilter:<bits>[:ignored]", "ribbonfilter:<bits>[:<level>]",
  // "rocksdb.BuiltinBloomFilter" (reads filters, writes none), "nullptr".
  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& value,
                                 std::shared_ptr<const FilterPolicy>* result);
};

// A Bloom filter of about `bits_per_key` bits for every key: 10 gives about
// 1% false positives. Values below 0.5 turn filters off; the largest is 100.
// The second argument is obsolete and ignored: filters cover whole tables.
const FilterPolicy* NewBloomFilterPolicy(
    double bits_per_key, bool IGNORED_use_block_based_builder = false);

// A Ribbon filter with the false positive rate of a Bloom filter of
// `bloom_equivalent_bits_per_key`, in about 30% less memory and with more
// CPU to build. Tables of levels numbered below `bloom_before_level` get Bloom
// filters, because tables live only for a short time there. With 0 only flushes
// make Bloom filters, with -1 no table has one, with INT_MAX all have. Filters
// of few keys, where Bloom is smaller, and of more than 950 million are Bloom
// filters too. Every RocksDB since 6.15 reads them, in tables of any format
// version.
const FilterPolicy* NewRibbonFilterPolicy(double bloom_equivalent_bits_per_key,
                                          int bloom_before_level = 0);

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
