#include "db/options/options_doc.h"

#include <vector>

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// What is refused of an option, or nothing.
std::string RefusalOf(const OptionField& field) {
  if (field.refused_when != nullptr) return field.refused_when;
  std::string text = field.refused == nullptr ? "" : field.refused;
  if (text.empty() || text == kAnyObject) return text;
  for (size_t at = text.find('|'); at != std::string::npos;
       at = text.find('|', at)) {
    text.replace(at, 1, "`, `");
  }
  return "`" + text + "`";
}

// Is nothing left but the default?
bool WhollyRefused(const OptionField& field) {
  return field.refused != nullptr &&
         (std::string_view(field.refused) == kAnyObject ||
          field.kind->values().size() == 2);
}

std::string EffectOf(const OptionField& field) {
  if (WhollyRefused(field)) return "refused";
  if (field.Has(kObsolete)) return "obsolete";
  std::string effect = field.Has(kAccepted) ? "accepted" : "honoured";
  if (field.Has(kOurs)) effect += ", ours";
  const std::string refusal = RefusalOf(field);
  return refusal.empty() ? effect : effect + "; refused: " + refusal;
}

// Objects have no default worth printing, and addresses change.
std::string DefaultOf(const OptionField& field, const void* defaults) {
  std::string text = PrintField(field, TextMode{.shallow = true}, defaults);
  if (text.rfind("0x", 0) == 0) return "set";
  return text.empty() ? " " : "`" + text + "`";
}

void AppendTable(const std::string& title, FieldTable fields,
                 const void* defaults, std::string* page) {
  *page += "\n## " + title + "\n\n";
  *page += "| option | type | default | mutable | here |\n";
  *page += "|---|---|---|---|---|\n";
  for (const OptionField& field : fields) {
    *page += std::string("| `") + field.name + "` | " + field.kind->type +
             " | " + DefaultOf(field, defaults) + " | " +
             (field.Has(kMutable) ? "yes" : "") + " | " + EffectOf(field) +
             " |\n";
  }
}

void AppendRefusals(FieldTable fields, std::string* table) {
  for (const OptionField& field : fields) {
    const std::string refusal = RefusalOf(field);
    if (refusal.empty()) continue;
    *table += std::string("| `") + field.name + "` | " + refusal + " |\n";
  }
}

void AppendAccepted(FieldTable fields, std::vector<std::string>* names) {
  for (const OptionField& field : fields) {
    if (EffectOf(field).rfind("accepted", 0) != 0) continue;
    names->push_back(std::string("`") + field.name + "`");
  }
}

template <typename T>
void AppendStruct(const std::string& title, FieldTable fields,
                  std::string* page) {
  const T defaults;
  AppendTable(title, fields, &defaults, page);
}

}  // namespace

std::string OptionsReference() {
  std::string page =
      "# Options\n\n"
      "Made from the option tables by the test `OptionsPage`; do not edit.\n"
      "The headers in `include/rocksdb/` describe what each option means.\n\n"
      "* **mutable**: `DB::SetOptions()` or `DB::SetDBOptions()` changes it "
      "while the\n  database is open.\n"
      "* **honoured**: works. **accepted**: stored and shown, without effect "
      "yet; when\n  set it is named once in the LOG. **refused**: opening "
      "fails with any value (or\n  those named) but the default. "
      "**obsolete**: of an earlier RocksDB, without\n  effect there as here. "
      "**ours**: not in RocksDB; in OPTIONS files a comment\n  that RocksDB "
      "skips.\n";
  AppendStruct<DBOptions>("DBOptions", DbOptionFields(), &page);
  AppendStruct<ColumnFamilyOptions>("ColumnFamilyOptions", CfOptionFields(),
                                    &page);
  AppendStruct<BlockBasedTableOptions>("BlockBasedTableOptions",
                                       BlockBasedTableOptionFields(), &page);
  AppendStruct<CompressionOptions>("CompressionOptions",
                                   FieldsOf<CompressionOptions>(), &page);
  AppendStruct<CompactionOptionsUniversal>(
      "CompactionOptionsUniversal", FieldsOf<CompactionOptionsUniversal>(),
      &page);
  AppendStruct<CompactionOptionsFIFO>("CompactionOptionsFIFO",
                                      FieldsOf<CompactionOptionsFIFO>(), &page);
  AppendStruct<MetadataCacheOptions>("MetadataCacheOptions",
                                     FieldsOf<MetadataCacheOptions>(), &page);
  return page;
}

std::string RefusedOptionsTable() {
  std::string table = "| option | refused |\n|---|---|\n";
  AppendRefusals(DbOptionFields(), &table);
  AppendRefusals(CfOptionFields(), &table);
  AppendRefusals(BlockBasedTableOptionFields(), &table);
  return table;
}

std::string AcceptedOptionsList() {
  constexpr size_t kWidth = 80;
  std::vector<std::string> names;
  AppendAccepted(DbOptionFields(), &names);
  AppendAccepted(CfOptionFields(), &names);
  AppendAccepted(BlockBasedTableOptionFields(), &names);
  std::string list;
  size_t column = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string word = names[i] + (i + 1 < names.size() ? "," : ".");
    if (column > 0 && column + 1 + word.size() > kWidth) {
      list += "\n";
      column = 0;
    }
    if (column > 0) list += " ";
    list += word;
    column += word.size() + (column > 0 ? 1 : 0);
  }
  return list + "\n";
}

}  // namespace ROCKSDB_NAMESPACE::engine
