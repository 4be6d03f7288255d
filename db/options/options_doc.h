// The page docs/options.md and the options of docs/compat.md that are refused
// or have no effect, made from the field tables.
//
// Place. A test keeps the committed pages equal to this text and rewrites
// them on demand (REWRITE=1), so that they cannot drift from the code.

#pragma once

#include <string>

namespace ROCKSDB_NAMESPACE::engine {

std::string OptionsReference();
std::string RefusedOptionsTable();
// Names, comma separated, in lines of at most 80 characters.
std::string AcceptedOptionsList();

}  // namespace ROCKSDB_NAMESPACE::engine
