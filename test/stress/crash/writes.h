// Random writes: what the crash explorer puts into its databases.
//
// Place. Makes writes for a Lineage, and applies them to a database.
//
// Model. A write is a batch of puts, entities, merges and deletions of one
// key, of a single put, and of ranges, over a few dozen keys. It is drawn from
// the state of the model alone, so that the seed alone gives the same
// one. Values carry the tag of the life that wrote them: a value that
// comes back after a crash took it is noticed.
//
// Threads. Functions of their arguments.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/write_batch.h"
#include "test/stress/crash/lineage.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::stress {

// The number in a mark; 0 for no mark.
uint64_t NumberOfMark(const Rows& rows);

// A batch to some of the families; entities and timestamps do not go together.
LoggedWrite DrawBatch(const Lineage& lineage,
                      const std::vector<uint32_t>& families,
                      const std::string& tag, bool with_entities,
                      engine::Random64* random);
// What one external file per family can hold: no order among its records.
LoggedWrite DrawFiles(const Lineage& lineage,
                      const std::vector<uint32_t>& families,
                      const std::string& tag, engine::Random64* random);

using Handles = std::map<uint32_t, ColumnFamilyHandle*>;

// `time`: the timestamp of all records; empty: the families have none.
// REQUIRES: the batch was made for timestamps of this size.
Status FillBatch(const LoggedWrite& write, const Handles& handles,
                 const std::string& time, WriteBatch* batch);
// Writes the records of one family to a table file.
Status WriteFile(const LoggedWrite& write, uint32_t family,
                 const Options& options, const std::string& path);

// Reads what was written last, of a family with or without timestamps.
ReadOptions NewestOf(const ColumnFamilyHandle& handle);

// All rows of a family as the model has them, whatever a RowFilter has changed.
// An error becomes *status.
Rows ReadRows(DB* db, ColumnFamilyHandle* handle, bool backwards,
              Status* status);

// The first difference, as text; "" if there is none. `filtered`: a RowFilter
// may have removed some rows.
std::string Difference(const Rows& expected, const Rows& found, bool filtered);

}  // namespace ROCKSDB_NAMESPACE::stress
