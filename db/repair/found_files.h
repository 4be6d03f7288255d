// What a repair finds in the directories of a database.
//
// Place. The reading half of RepairDB; writes nothing.
//
// Model. The only witnesses are the files themselves. Every table is read from
// end to end: its properties tell the family, its entries the bounds and
// sequences. The newest MANIFEST that can still be read adds what a table
// cannot tell: the names of families without tables, which families were
// dropped, and the sequence of tables that were ingested.
//
// Threads. One.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "db/format/store_context.h"
#include "db/manifest/file_metadata.h"
#include "db/manifest/manifest_state.h"
#include "rocksdb/comparator.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

struct FoundTable {
  uint32_t family_id = 0;
  std::string family_name;
  std::string comparator_name;
  FilePtr file;
};

struct FoundFiles {
  struct Named {
    std::string dir;
    uint64_t number = 0;
    uint32_t path_id = 0;  // Tables only.
  };
  std::vector<Named> tables;
  std::vector<uint64_t> logs;       // Ascending.
  std::vector<uint64_t> manifests;  // Ascending.
  uint64_t number_max = 0;          // Over all files that have a number.
};

// `table_dirs`: of all families; a table's path id is its position in its
// family's own list, so that several lists are given one after the other.
Result<FoundFiles> FindFiles(
    const StoreContext& store,
    const std::vector<std::vector<std::string>>& table_dirs);

struct OldManifest {
  ManifestState state;
  // CURRENT names it, and it does not end in the middle: a family that it does
  // not name was dropped. Another one may never have been finished.
  bool is_complete = false;
};
// The MANIFEST that CURRENT names or, if that one is of no use, the newest that
// is not damaged. Errors: those of reading.
Result<std::optional<OldManifest>> ReadOldManifest(const StoreContext& store,
                                                   const FoundFiles& found);

// The comparator of that name, or null.
using ComparatorOf = std::function<const Comparator*(const std::string& name)>;

// Reads the whole table. `old`: null when there is no readable MANIFEST.
// Errors: Corruption and NotSupported for a table that is of no use;
// InvalidArgument when its comparator is not known.
Result<FoundTable> ReadTable(const StoreContext& store,
                             const FoundFiles::Named& name,
                             const ComparatorOf& comparator_of,
                             const ManifestState* old);

// An earlier repair has put tables into lost/.
bool HasLostTables(const StoreContext& store);

// Tables whose order of age neither sequences nor bounds tell: looked at one
// by one they could give an older version of a key.
bool NeedMerge(const Comparator* order, const std::vector<FilePtr>& files);

}  // namespace ROCKSDB_NAMESPACE::engine
