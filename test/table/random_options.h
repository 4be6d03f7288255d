// Random table options and entries: what the tests of all mixtures build.

#pragma once

#include <map>
#include <string>
#include <vector>

#include "rocksdb/filter_policy.h"
#include "rocksdb/slice_transform.h"
#include "table_fixture.h"
#include "util/compression/compression.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {

inline std::string RandomKey(Random64* random) {
  std::string key;
  const size_t size = 1 + random->Uniform(12);
  for (size_t i = 0; i < size; ++i) {
    // Few different bytes, the extreme ones among them.
    static constexpr char kBytes[] = {'\0', 'a', 'b', 'b', 'c', '\xff'};
    key += kBytes[random->Uniform(sizeof(kBytes))];
  }
  return key;
}

inline Entries RandomEntries(Random64* random, size_t count) {
  std::map<std::string, int> keys;
  while (keys.size() < count) ++keys[RandomKey(random)];
  Entries entries;
  for (const auto& [key, times] : keys) {
    const uint64_t versions = random->OneIn(20) ? 1 + random->Uniform(60) : 1;
    for (uint64_t v = versions; v > 0; --v) {
      std::string value(random->Uniform(random->OneIn(30) ? 3000 : 60),
                        static_cast<char>('a' + random->Uniform(26)));
      for (size_t i = 0; i < value.size(); i += 3) {
        value[i] = static_cast<char>(random->Next());
      }
      entries.emplace_back(IKey(key, 100 + v), value);
    }
  }
  return entries;
}

inline TableBuildOptions RandomOptions(Random64* random) {
  TableBuildOptions o = BuildOptions();
  BlockBasedTableOptions& t = o.table;
  const auto coin = [&] { return random->OneIn(2); };
  t.format_version = 2 + static_cast<uint32_t>(random->Uniform(6));
  t.checksum = static_cast<ChecksumType>(random->Uniform(5));
  t.block_size = 64 << random->Uniform(7);
  t.block_restart_interval = 1 + static_cast<int>(random->Uniform(20));
  t.index_block_restart_interval = 1 + static_cast<int>(random->Uniform(5));
  t.use_delta_encoding = coin();
  t.separate_key_value_in_data_block = coin();
  t.enable_index_compression = coin();
  t.index_shortening = static_cast<BlockBasedTableOptions::IndexShorteningMode>(
      random->Uniform(3));
  t.verify_compression = coin();
  t.whole_key_filtering = !random->OneIn(4);
  if (coin()) {
    t.data_block_index_type = BlockBasedTableOptions::kDataBlockBinaryAndHash;
  }
  if (coin()) {
    t.super_block_alignment_size = 1024 << random->Uniform(3);
    t.super_block_alignment_space_overhead_ratio = 1 + random->Uniform(8);
  }
  t.index_type =
      static_cast<BlockBasedTableOptions::IndexType>(random->Uniform(4));
  t.metadata_block_size = 100 << random->Uniform(5);
  t.partition_filters =
      coin() && t.index_type == BlockBasedTableOptions::kTwoLevelIndexSearch;
  t.decouple_partitioned_filters = coin();
  t.detect_filter_construct_corruption = coin();
  if (coin()) o.prefix_extractor.reset(NewCappedPrefixTransform(3));
  if (coin()) {
    const double bits = 1 + static_cast<double>(random->Uniform(20));
    t.filter_policy.reset(coin() ? NewRibbonFilterPolicy(bits)
                                 : NewBloomFilterPolicy(bits));
  }
  const std::vector<CompressionType> types = SupportedCompressionTypes();
  o.compression = types[random->Uniform(types.size())];
  if (o.compression == kNoCompression) t.block_align = coin();
  if (coin()) {
    o.compression_opts.max_dict_bytes =
        200 + static_cast<uint32_t>(random->Uniform(3000));
    o.compression_opts.max_dict_buffer_bytes = random->Uniform(40000);
    if (coin()) o.compression_opts.zstd_max_train_bytes = 20000;
    o.compression_opts.use_zstd_dict_trainer = coin();
  }
  return o;
}

}  // namespace ROCKSDB_NAMESPACE::engine
