#include "rocksdb/table_properties.h"
#include "tools/sst_dump/sst_dump.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

void PrintProperties(const TableProperties& properties, std::string* out) {
  *out += "Table Properties:\n------------------------------\n  ";
  *out += properties.ToString("\n  ", ": ");
  *out += "Raw user collected properties\n------------------------------\n";
  for (const auto& [name, value] : properties.user_collected_properties) {
    *out += "  # " + name + ": 0x" + Slice(value).ToString(true) + "\n";
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
