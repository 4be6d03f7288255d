#include "db/options/options_doc.h"

#include "db/options/objects.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

const char* EffectOf(const OptionField& field) {
  if (field.Has(kObsolete)) return "obsolete";
  if (field.Has(kAccepted)) return "accepted";
  return field.Has(kOurs) ? "honoured, ours" : "honoured";
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
      "What an option means is said beside it in `include/rocksdb/`.\n\n"
      "* **mutable**: `DB::SetOptions()` or `DB::SetDBOptions()` changes it "
      "while the\n  database is open.\n"
      "* **honoured**: works. **accepted**: stored and shown, without effect "
      "yet; when\n  set it is named once in the LOG. **obsolete**: of an "
      "earlier RocksDB, without\n  effect there as here. **ours**: not in "
      "RocksDB; in OPTIONS files a comment\n  that RocksDB skips.\n";
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

}  // namespace ROCKSDB_NAMESPACE::engine
