// BlockBasedTableFactory: the options of block-based tables as an object that
// column family options can hold.
//
// Place. The engine asks it for BlockBasedTableOptions and builds and opens
// tables itself; factories of other kinds are refused when a database opens.

#pragma once

#include <string>

#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE::engine {

// Brings values that make no sense to the nearest ones that do and fills in
// the default block cache.
BlockBasedTableOptions SanitizeTableOptions(
    const BlockBasedTableOptions& options);

class BlockBasedTableFactory final : public TableFactory {
 public:
  explicit BlockBasedTableFactory(const BlockBasedTableOptions& options)
      : options_(SanitizeTableOptions(options)) {}

  static const char* kClassName() { return kBlockBasedTableName(); }
  const char* Name() const override { return kBlockBasedTableName(); }
  std::string GetPrintableOptions() const override;
  const BlockBasedTableOptions& options() const { return options_; }

 protected:
  // By "BlockTableOptions", and the cache alone by "BlockCache".
  const void* GetOptionsPtr(const std::string& name) const override;

 private:
  BlockBasedTableOptions options_;
};

}  // namespace ROCKSDB_NAMESPACE::engine
