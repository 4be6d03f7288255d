// Table factories from options text.
//
// Place. Between the option tables and the factories of table/: makes a
// factory from settings, and finds the field table behind one.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rocksdb/table.h"
#include "util/options_text/field.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null if the factory is not the block-based one of this library.
const BlockBasedTableOptions* BlockBasedOptionsOf(const TableFactory* factory);

// The factory called `name` with options changed by the settings. Options of
// `base` are the start if it is a factory of that name. NotSupported: no such
// factory.
Status MakeTableFactory(const TextMode& mode, const std::string& name,
                        std::string_view settings, const TableFactory* base,
                        std::shared_ptr<TableFactory>* factory);

// The table and the struct behind a built-in factory; empty for others.
struct FactoryOptions {
  FieldTable fields;
  const void* options = nullptr;
};
FactoryOptions OptionsOf(const TableFactory* factory);

}  // namespace ROCKSDB_NAMESPACE::engine
