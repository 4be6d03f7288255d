#include "db/options/options_file.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "db/format/file_names.h"
#include "db/options/objects.h"
#include "db/options/options_table.h"
#include "db/options/table_factories.h"
#include "rocksdb/version.h"
#include "util/options_text/field.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr std::string_view kOwnPrefix = "# riverstone:";
constexpr std::string_view kBlockSection = "TableOptions/BlockBasedTable";

// -- Writing.

// The settings, then what only this library reads.
void AppendSettings(FieldTable fields, const void* options,
                    const void* defaults, std::string* out) {
  TextMode shared;
  shared.shared_only = true;
  shared.shallow = true;
  TextMode full;
  full.shallow = true;
  for (const OptionField& field : fields) {
    if (!field.Has(kShared)) continue;
    const std::string value = PrintField(field, shared, options);
    assert(value.find('\n') == std::string::npos);  // It is one line.
    if (value.empty()) continue;
    *out += std::string("  ") + field.name + "=" + value + "\n";
  }
  for (const OptionField& field : fields) {
    if (field.Has(kNotStored)) continue;
    const std::string value = PrintField(field, full, options);
    assert(value.find('\n') == std::string::npos);
    const bool written =
        field.Has(kShared) && value == PrintField(field, shared, options);
    if (written || value == PrintField(field, full, defaults)) continue;
    out->append(field.Has(kNeeded) ? " " : kOwnPrefix).append(" ");
    out->append(field.name).append("=").append(value).append("\n");
  }
}

void AppendSection(std::string_view title, const std::string& family,
                   std::string* out) {
  *out += "\n[" + std::string(title);
  if (!family.empty()) *out += " \"" + EscapeText(family) + "\"";
  *out += "]\n";
}

// -- Reading.

// The text before a comment, trimmed; a '#' behind a backslash is text.
std::string_view StripComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || line[i - 1] != '\\')) {
      return TrimText(line.substr(0, i));
    }
  }
  return TrimText(line);
}

struct Section {
  std::string title;
  std::string family;
};

// Parses "[title]" or "[title "family"]".
bool ParseSection(std::string_view line, Section* section) {
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') {
    return false;
  }
  const std::string_view inner = TrimText(line.substr(1, line.size() - 2));
  const size_t first = inner.find('"');
  const size_t last = inner.rfind('"');
  section->title = TrimText(inner.substr(0, first));
  section->family.clear();
  if (first == std::string_view::npos) return true;
  if (first == last) return false;
  section->family = UnescapeText(inner.substr(first + 1, last - first - 1));
  return true;
}

class Parser {
 public:
  Parser(const std::string& name, const TextMode& mode, DBOptions* db_options,
         std::vector<ColumnFamilyDescriptor>* cfs,
         std::vector<std::string>* unknown)
      : name_(name),
        mode_(mode),
        db_options_(db_options),
        cfs_(cfs),
        unknown_(unknown) {}

  Status Line(std::string_view line) {
    ++line_number_;
    line = TrimText(line);
    const bool own = line.starts_with(kOwnPrefix);
    if (own) line.remove_prefix(kOwnPrefix.size());
    line = StripComment(line);
    if (line.empty()) return Status::OK();
    if (line.front() == '[') return Begin(line);
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) {
      return Wrong("'name=value' or '[section]' expected");
    }
    return Set(std::string(TrimText(line.substr(0, equals))),
               std::string(TrimText(line.substr(equals + 1))), own);
  }

  Status Finish() const {
    for (const char* needed : {"Version", "DBOptions", "CFOptions default"}) {
      if (seen_.count(needed) == 0) {
        return Status::Corruption(name_,
                                  std::string("has no section ") + needed);
      }
    }
    return Status::OK();
  }

 private:
  Status Wrong(const std::string& what) const {
    return Status::Corruption(name_ + ", line " + std::to_string(line_number_),
                              what);
  }

  void NoteUnknown(const Status& status) const {
    if (unknown_ != nullptr) unknown_->push_back(status.ToString());
  }

  Status Begin(std::string_view line) {
    if (!ParseSection(line, &section_)) return Wrong("bad section header");
    std::string key = section_.title;
    if (!section_.family.empty()) key += " " + section_.family;
    if (!seen_.insert(key).second) return Wrong("second section " + key);
    if (section_.title == "Version" || section_.title == "DBOptions") {
      return Status::OK();
    }
    if (section_.title == "CFOptions") return BeginFamily();
    if (section_.title.starts_with("TableOptions")) return CheckTableSection();
    Status unknown = Wrong("unknown section " + section_.title);
    if (!mode_.ignore_unknown) return unknown;
    NoteUnknown(unknown);
    return Status::OK();
  }

  Status BeginFamily() {
    if (cfs_->empty() != (section_.family == kDefaultColumnFamilyName)) {
      return Wrong("the first column family must be the default one");
    }
    cfs_->emplace_back(section_.family, ColumnFamilyOptions());
    return Status::OK();
  }

  Status CheckTableSection() const {
    if (cfs_->empty() || cfs_->back().name != section_.family) {
      return Wrong("table options of " + section_.family +
                   " must follow its column family");
    }
    return Status::OK();
  }

  Status Set(const std::string& name, const std::string& value, bool own) {
    // A newer release of this library may have written more.
    TextMode mode = mode_;
    mode.ignore_unknown = mode.ignore_unknown || own;
    if (unknown_ == nullptr || !mode_.ignore_unknown || own) {
      return Set(mode, name, value);
    }
    mode.ignore_unknown = false;
    const Status strict = Set(mode, name, value);
    if (strict.ok()) return Status::OK();
    RETURN_IF_ERROR(Set(mode_, name, value));
    NoteUnknown(strict);
    return Status::OK();
  }

  Status Set(const TextMode& mode, const std::string& name,
             const std::string& value) {
    Status status;
    if (section_.title == "Version") {
      status = SetVersion(name, value);
    } else if (section_.title == "DBOptions") {
      status = SetDbOption(mode, name, value, db_options_);
    } else if (section_.title == "CFOptions") {
      assert(!cfs_->empty() && cfs_->back().name == section_.family);
      status = SetCfOption(mode, name, value, &cfs_->back().options);
    } else if (section_.title == kBlockSection) {
      status = SetTableOption(mode, name, value);
    } else if (!section_.title.starts_with("TableOptions") &&
               !mode.ignore_unknown) {
      return Wrong("setting outside of a section");
    }
    if (status.ok()) return status;
    return Status::InvalidArgument(
        name_ + ", line " + std::to_string(line_number_), status.ToString());
  }

  Status SetVersion(const std::string& name, const std::string& value) const {
    if (name == "options_file_version") {
      double version = 0;
      RETURN_IF_ERROR(ParseDouble(value, &version));
      if (version < 1) return Status::InvalidArgument(name, value);
      return Status::OK();
    }
    const bool numbers =
        !value.empty() &&
        value.find_first_not_of("0123456789.") == std::string::npos;
    if (name == "rocksdb_version" && !numbers) {
      return Status::InvalidArgument(name, value);
    }
    return Status::OK();
  }

  Status SetTableOption(const TextMode& mode, const std::string& name,
                        const std::string& value) {
    assert(!cfs_->empty() && cfs_->back().name == section_.family);
    auto& factory = cfs_->back().options.table_factory;
    auto* table = factory->GetOptions<BlockBasedTableOptions>();
    if (table == nullptr) return Status::InvalidArgument("not block-based");
    return SetField(BlockBasedTableOptionFields(), mode, name, value, table);
  }

  const std::string& name_;
  const TextMode mode_;
  DBOptions* const db_options_;
  std::vector<ColumnFamilyDescriptor>* const cfs_;
  std::vector<std::string>* const unknown_;  // May be null.
  size_t line_number_ = 0;
  Section section_;
  std::set<std::string> seen_;
};

}  // namespace

std::string OptionsFileText(const DBOptions& db_options,
                            const std::vector<ColumnFamilyDescriptor>& cfs) {
  const DBOptions db_defaults;
  const ColumnFamilyOptions cf_defaults;
  const BlockBasedTableOptions table_defaults;
  std::string text =
      "# Options of a database, written when it is opened and when they "
      "change.\n\n[Version]\n";
  text += "  rocksdb_version=" + GetRocksVersionAsString() + "\n";
  text += "  options_file_version=1.1\n";
  AppendSection("DBOptions", "", &text);
  AppendSettings(DbOptionFields(), &db_options, &db_defaults, &text);
  for (const ColumnFamilyDescriptor& cf : cfs) {
    AppendSection("CFOptions", cf.name, &text);
    AppendSettings(CfOptionFields(), &cf.options, &cf_defaults, &text);
    const auto* table =
        cf.options.table_factory->GetOptions<BlockBasedTableOptions>();
    if (table == nullptr) continue;
    AppendSection(kBlockSection, cf.name, &text);
    AppendSettings(BlockBasedTableOptionFields(), table, &table_defaults,
                   &text);
  }
  return text;
}

Status ParseOptionsFile(Slice text, const std::string& name,
                        const TextMode& mode, DBOptions* db_options,
                        std::vector<ColumnFamilyDescriptor>* cfs,
                        std::vector<std::string>* unknown) {
  *db_options = DBOptions();
  cfs->clear();
  Parser parser(name, mode, db_options, cfs, unknown);
  std::string_view rest = text.ToStringView();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    RETURN_IF_ERROR(parser.Line(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return parser.Finish();
}

Status WriteOptionsFile(FileSystem* fs, const std::string& dir,
                        uint64_t file_number, const DBOptions& db_options,
                        const std::vector<ColumnFamilyDescriptor>& cfs) {
  // Or the file could not be read again.
  assert(!cfs.empty() && cfs.front().name == kDefaultColumnFamilyName);
  const std::string temporary = TempOptionsFileName(dir, file_number);
  const std::string final_name = OptionsFileName(dir, file_number);
  const std::string text = OptionsFileText(db_options, cfs);
  const IOOptions io;
  std::unique_ptr<FSWritableFile> file;
  RETURN_IF_ERROR(
      fs->NewWritableFile(temporary, FileOptions(), &file, nullptr));
  Status status = file->Append(text, io, nullptr);
  if (status.ok()) status = file->Sync(io, nullptr);
  const Status closed = file->Close(io, nullptr);
  if (status.ok()) status = closed;
  if (status.ok()) status = fs->RenameFile(temporary, final_name, io, nullptr);
  if (!status.ok()) {
    // Nothing refers to it; the next open removes what this leaves.
    (void)fs->DeleteFile(temporary, io, nullptr);
    return status;
  }
  std::unique_ptr<FSDirectory> directory;
  RETURN_IF_ERROR(fs->NewDirectory(dir, io, &directory, nullptr));
  return directory->Fsync(io, nullptr);
}

Status NewestOptionsFile(FileSystem* fs, const std::string& dir,
                         std::string* name) {
  std::vector<std::string> children;
  RETURN_IF_ERROR(fs->GetChildren(dir, IOOptions(), &children, nullptr));
  uint64_t newest = 0;
  name->clear();
  for (const std::string& child : children) {
    ParsedFileName parsed;
    if (!ParseFileName(child, "LOG", &parsed)) continue;
    if (parsed.type != kOptionsFile) continue;
    if (name->empty() || parsed.number > newest) {
      newest = parsed.number;
      *name = child;
    }
  }
  if (name->empty()) {
    return Status::NotFound(Status::kPathNotFound,
                            "No options files found in the DB directory.", dir);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::engine
