// Names of the entries of the metaindex block.

#pragma once

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::engine {

inline constexpr char kPropertiesBlock[] = "rocksdb.properties";
inline constexpr char kIndexBlock[] = "rocksdb.index";  // Version 6 and later.
inline constexpr char kRangeDeletionBlock[] = "rocksdb.range_del";
inline constexpr char kCompressionDictBlock[] = "rocksdb.compression_dict";
inline constexpr char kHashPrefixesBlock[] = "rocksdb.hashindex.prefixes";
inline constexpr char kHashMetadataBlock[] = "rocksdb.hashindex.metadata";
// Followed by the compatibility name of the filter policy.
inline constexpr char kFullFilterPrefix[] = "fullfilter.";
inline constexpr char kPartitionedFilterPrefix[] = "partitionedfilter.";

}  // namespace ROCKSDB_NAMESPACE::engine
