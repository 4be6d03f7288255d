#include "table/compression_text.h"

#include "util/compression/compression.h"

namespace ROCKSDB_NAMESPACE::engine {

std::string CompressionText(uint32_t format_version, CompressionType asked,
                            uint32_t used_types) {
  const bool off = asked == kNoCompression || !CompressionTypeSupported(asked);
  if (format_version < 7) {
    return CompressionTypeName(off ? kNoCompression : asked);
  }
  std::string text = off ? ";" : "BuiltinV2;";
  for (unsigned type = 1; type <= kLastBuiltinCompression; ++type) {
    if ((used_types >> type & 1) != 0) text += '0' + std::to_string(type);
  }
  return text + ';';
}

std::string CompressionOptionsText(const CompressionOptions& o) {
  return "window_bits=" + std::to_string(o.window_bits) +
         "; level=" + std::to_string(o.level) +
         "; strategy=" + std::to_string(o.strategy) +
         "; max_dict_bytes=" + std::to_string(o.max_dict_bytes) +
         "; zstd_max_train_bytes=" + std::to_string(o.zstd_max_train_bytes) +
         "; enabled=" + std::to_string(o.enabled) +
         "; max_dict_buffer_bytes=" + std::to_string(o.max_dict_buffer_bytes) +
         "; use_zstd_dict_trainer=" + std::to_string(o.use_zstd_dict_trainer) +
         "; ";
}

}  // namespace ROCKSDB_NAMESPACE::engine
