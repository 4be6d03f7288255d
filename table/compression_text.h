// The text about compression in a table's properties.
//
// Place. Used by the table builder; readers of all releases understand this
// text.

#pragma once

#include <cstdint>
#include <string>

#include "rocksdb/compression_type.h"

namespace ROCKSDB_NAMESPACE::engine {

// Up to version 6 the method asked for, also where no block shrank; from
// version 7 on the set of types really used (bits), "BuiltinV2;0407;".
std::string CompressionText(uint32_t format_version, CompressionType asked,
                            uint32_t used_types);

// "window_bits=-14; level=32767; ..."
std::string CompressionOptionsText(const CompressionOptions& options);

}  // namespace ROCKSDB_NAMESPACE::engine
