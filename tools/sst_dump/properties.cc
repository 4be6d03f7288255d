#include <sstream>

#include "rocksdb/table_properties.h"
#include "tools/sst_dump/sst_dump.h"
#include "util/json_writer.h"

namespace ROCKSDB_NAMESPACE::engine::sst_dump {

void PrintProperties(const TableProperties& properties, std::string* out) {
  *out += "Table Properties:\n------------------------------\n  ";
  *out += properties.ToString("\n  ", ": ");
  *out += "Raw user collected properties\n------------------------------\n";
  for (const auto& [name, value] : properties.user_collected_properties) {
    *out += "  # " + name + ": 0x" + Slice(value).ToString(true) + "\n";
  }
}

std::string PropertiesJson(const std::string& path,
                           const TableProperties& properties) {
  JsonWriter object;
  object.Add("file", JsonText(path, false)).Key("properties").BeginObject();
  std::istringstream lines(properties.ToString("\n", "\t"));
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos) continue;
    object.Add(JsonText(line.substr(0, tab), false),
               JsonText(line.substr(tab + 1), false));
  }
  object.EndObject().Key("user_collected").BeginObject();
  for (const auto& [name, value] : properties.user_collected_properties) {
    object.Add(JsonText(name, false), JsonText(value, /*hex=*/true));
  }
  object.EndObject();
  return std::move(object).Finish();
}

std::string JsonText(const Slice& bytes, bool hex) {
  if (hex) return "0x" + bytes.ToString(true);
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte < 0x80) {
      text += static_cast<char>(byte);
    } else {  // As UTF-8.
      text += static_cast<char>(0xC0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine::sst_dump
