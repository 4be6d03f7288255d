// The table factories: a name and an option struct each.
//
// Place. Made by NewBlockBasedTableFactory() and its like, or from options
// text. The engine asks BlockBasedOptionsOf() what to build; factories of
// other formats, and of a program's own, are refused when a database opens.
//
// Invariants: a factory's options are complete: the default block cache of
// 32 MiB is made with the factory and shared by its copies.

#pragma once

#include <memory>
#include <string>

#include "rocksdb/table.h"
#include "util/options_text/field.h"

namespace ROCKSDB_NAMESPACE::engine {

// Null if the factory is not the block-based one of this library.
const BlockBasedTableOptions* BlockBasedOptionsOf(const TableFactory* factory);

// A copy of a block-based factory with other options; keeps its cache.
std::shared_ptr<TableFactory> MakeBlockBasedFactory(
    const BlockBasedTableOptions& options);

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
