// The page docs/options.md, made from the field tables.
//
// Place. A test keeps the committed page equal to this text and rewrites it
// on demand (REWRITE=1), so that the page cannot drift from the code.

#pragma once

#include <string>

namespace ROCKSDB_NAMESPACE::engine {

std::string OptionsReference();

}  // namespace ROCKSDB_NAMESPACE::engine
