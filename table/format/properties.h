// The properties block: facts about a table file under their names.
//
// Place. The table builder writes it as the last but one block; the table
// reader needs it to interpret index, filter and sequence numbers of the file.
//
// Bytes. A key-value block with one restart point, names ascending. Numbers
// are varint64, except where a name's meaning below says otherwise.
//
// Model. Properties for which TableProperties has a field are decoded into it;
// all others, ours included, are kept unchanged in user_collected_properties.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::engine {

// Names without a field.
inline constexpr char kIndexTypeProperty[] =
    "rocksdb.block.based.table.index.type";  // fixed32
inline constexpr char kWholeKeyFilteringProperty[] =
    "rocksdb.block.based.table.whole.key.filtering";  // "1" or "0"
inline constexpr char kPrefixFilteringProperty[] =
    "rocksdb.block.based.table.prefix.filtering";  // "1" or "0"
inline constexpr char kDecoupledFiltersProperty[] =
    "rocksdb.block.based.table.decoupled.partitioned.filters";  // "1" or absent
inline constexpr char kExternalVersionProperty[] =
    "rocksdb.external_sst_file.version";  // fixed32
inline constexpr char kGlobalSequenceProperty[] =
    "rocksdb.external_sst_file.global_seqno";  // fixed64

// The block payload.
std::string EncodeProperties(const TableProperties& properties);

// Errors: Corruption naming the property that does not decode.
// The offset in `payload` of the 8 bytes of the global sequence number is
// left in *global_sequence_at, 0 if there is none: that number is rewritten in
// place, outside the block's checksum.
Status DecodeProperties(const Slice& payload, TableProperties* properties,
                        size_t* global_sequence_at);

}  // namespace ROCKSDB_NAMESPACE::engine
