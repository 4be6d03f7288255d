// ExternalTable: what must be known of a table file before a database takes
// it in.
//
// Place. Read by ingestion, before anything of the database is touched.
//
// Bytes. Only tables that SstFileWriter made are taken: their properties say
// so, and hold eight bytes for a sequence number of the whole file, which may
// stay zero (the MANIFEST then has it).
#pragma once

#include <memory>
#include <string>

#include "db/format/store_context.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"
#include "rocksdb/table_properties.h"
#include "table/internal_key.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct ExternalTable {
  std::string path;
  uint64_t size = 0;
  // Of the smallest and the largest entry; sequences are not looked at.
  InternalKey smallest;
  InternalKey largest;
  // User keys: the same, but with timestamps around all versions of the keys.
  std::string first;
  std::string last;
  std::shared_ptr<const TableProperties> properties;
  // Written into the file by an earlier ingestion; 0: none.
  SequenceNumber stored_sequence = 0;
};

// How the table is to be read and what is asked of it.
struct ExternalTableCheck {
  const StoreContext* store = nullptr;
  const InternalKeyComparator* icmp = nullptr;
  BlockBasedTableOptions table;
  uint32_t family_id = 0;
  bool verify_checksums = false;
  size_t verify_readahead_bytes = 0;
};

// Errors: InvalidArgument for a table that is not external, is empty, has
// another comparator, is meant for another column family or holds sequence
// numbers of its own; Corruption; those of reading.
Result<ExternalTable> ReadExternalTable(const ExternalTableCheck& check,
                                        const std::string& path);

}  // namespace ROCKSDB_NAMESPACE::engine
