// The options of a table's parts, made from those of the whole table.
//
// Place. TableBuilder makes its parts with these. Pure.

#pragma once

#include "rocksdb/file_checksum.h"
#include "rocksdb/table.h"
#include "table/block/block_builder.h"
#include "table/block/block_writer.h"
#include "table/index/index_builder.h"
#include "table/table_builder.h"

namespace ROCKSDB_NAMESPACE::engine {

BlockBuilder::Options DataBlockOptions(const TableBuildOptions& o);
// The kind of index this file gets.
BlockBasedTableOptions::IndexType IndexTypeOf(const TableBuildOptions& o);
IndexBuilder::Options IndexOptions(const TableBuildOptions& o);
// `file_checksum` may be null.
BlockWriter::Options WriterOptions(const TableBuildOptions& o,
                                   FileChecksumGenerator* file_checksum);

}  // namespace ROCKSDB_NAMESPACE::engine
