#include "db/backup/backup_meta.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "db/backup/backup_layout.h"
#include "util/options_text/codec.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

constexpr std::string_view kVersionName = "schema_version";
constexpr std::string_view kMetadataName = "metadata";
constexpr std::string_view kFooter = "// FOOTER";
constexpr std::string_view kMustBeKnown = "ni::";
constexpr std::string_view kExcludedName = "ni::excluded";

template <typename Number>
bool ParseNumber(std::string_view text, Number* number) {
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end && !text.empty();
}

// What stands before the first space; `*text` goes on behind it.
std::string_view NextWord(std::string_view* text) {
  const size_t space = std::min(text->find(' '), text->size());
  const std::string_view word = text->substr(0, space);
  text->remove_prefix(std::min(space + 1, text->size()));
  return word;
}

class Decoder {
 public:
  Decoder(const Slice& text, BackupID id, const std::string& name)
      : text_(text.data(), text.size()), id_(id), name_(name) {}

  Status Decode(BackupMeta* meta) {
    std::string_view line;
    RETURN_IF_ERROR(NextLine(&line));
    if (line.starts_with(kVersionName)) {
      RETURN_IF_ERROR(Version(line.substr(kVersionName.size())));
      RETURN_IF_ERROR(NextLine(&line));
    }
    if (!ParseNumber(line, &meta->timestamp)) return Bad("a time", line);
    RETURN_IF_ERROR(NextLine(&line));
    if (!ParseNumber(line, &meta->sequence)) return Bad("a sequence", line);
    uint64_t count = 0;
    RETURN_IF_ERROR(Fields(meta, &count));
    // Each takes a line: the number alone reserves nothing.
    for (uint64_t i = 0; i < count; ++i) {
      RETURN_IF_ERROR(NextLine(&line));
      RETURN_IF_ERROR(File(line, meta));
    }
    return Rest();
  }

 private:
  Status Bad(const std::string& wanted, std::string_view found) const {
    return Status::Corruption(
        name_ + ": line " + std::to_string(line_) + ": expected " + wanted,
        "found \"" + std::string(found.substr(0, 80)) + "\"");
  }
  Status NotKnown(std::string_view what) const {
    return Status::NotSupported(
        name_ + ": line " + std::to_string(line_),
        "of a later release: " + std::string(what.substr(0, 80)));
  }

  Status NextLine(std::string_view* line) {
    ++line_;
    const size_t end = text_.find('\n');
    if (end == std::string_view::npos) return Bad("a line", text_);
    *line = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return Status::OK();
  }

  Status Version(std::string_view text) {
    if (text != " 2" && !text.starts_with(" 2.")) return NotKnown(text);
    fields_allowed_ = true;
    return Status::OK();
  }

  // Lines with a name, up to the number of files.
  Status Fields(BackupMeta* meta, uint64_t* count) {
    for (;;) {
      std::string_view line;
      RETURN_IF_ERROR(NextLine(&line));
      if (ParseNumber(line, count)) return Status::OK();
      std::string_view value = line;
      const std::string_view field = NextWord(&value);
      if (field == kMetadataName) {
        const bool hex =
            Slice(value.data(), value.size()).DecodeHex(&meta->app_metadata);
        if (!hex) return Bad("hex", value);
      } else if (!fields_allowed_) {
        return Bad("the number of files", line);
      } else if (field.starts_with(kMustBeKnown)) {
        return NotKnown(field);
      }
    }
  }

  Status File(std::string_view line, BackupMeta* meta) {
    BackupFile file;
    std::string_view rest = line;
    file.path = NextWord(&rest);
    if (!IsPathOfBackup(file.path, id_)) {
      return Bad("a file of the backup", line);
    }
    if (!paths_.insert(file.path).second) return Bad("another file", line);
    while (!rest.empty()) {
      const std::string_view field = NextWord(&rest);
      if (rest.empty()) return Bad("a value for " + std::string(field), line);
      RETURN_IF_ERROR(FileField(field, NextWord(&rest), &file));
    }
    meta->files.push_back(std::move(file));
    return Status::OK();
  }

  Status FileField(std::string_view field, std::string_view value,
                   BackupFile* file) {
    if (field == "crc32") {
      uint32_t crc32c = 0;
      if (!ParseNumber(value, &crc32c)) return Bad("a checksum", value);
      file->crc32c = crc32c;
      return Status::OK();
    }
    if (!fields_allowed_) return Bad("crc32", field);
    if (field == "size") {
      uint64_t size = 0;
      if (!ParseNumber(value, &size)) return Bad("a size", value);
      file->size = size;
    } else if (field == "temp") {
      // One that is not known stays kUnknown.
      (void)TextCodec<Temperature>::Parse(TextMode(), value,
                                          &file->temperature);
    } else if (field == kExcludedName) {
      if (value != "true" && value != "false") return NotKnown(value);
      file->excluded = value == "true";
    } else if (field.starts_with(kMustBeKnown)) {
      return NotKnown(field);
    }
    return Status::OK();
  }

  Status Rest() {
    if (text_.empty()) return Status::OK();
    std::string_view line;
    RETURN_IF_ERROR(NextLine(&line));
    if (!fields_allowed_ || line != kFooter) return Bad("the end", line);
    while (!text_.empty()) {
      RETURN_IF_ERROR(NextLine(&line));
      if (line.starts_with(kMustBeKnown)) return NotKnown(line);
    }
    return Status::OK();
  }

  std::string_view text_;
  const BackupID id_;
  const std::string& name_;
  uint64_t line_ = 0;
  bool fields_allowed_ = false;  // Version 2.
  std::set<std::string> paths_;
};

}  // namespace

uint64_t BackupMeta::TotalBytes() const {
  uint64_t bytes = 0;
  for (const BackupFile& file : files) {
    if (!file.excluded) bytes += file.size.value_or(0);
  }
  return bytes;
}

std::string EncodeBackupMeta(const BackupMeta& meta, int schema_version) {
  const bool more = schema_version >= 2;
  const bool excludes =
      std::any_of(meta.files.begin(), meta.files.end(),
                  [](const BackupFile& file) { return file.excluded; });
  std::string text;
  if (more) {
    text.append(kVersionName).append(excludes ? " 2.1\n" : " 2.0\n");
  }
  text += std::to_string(meta.timestamp) + "\n";
  text += std::to_string(meta.sequence) + "\n";
  if (!meta.app_metadata.empty()) {
    text.append(kMetadataName).append(" ");
    text += Slice(meta.app_metadata).ToString(/*hex=*/true) + "\n";
  }
  text += std::to_string(meta.files.size()) + "\n";
  for (const BackupFile& file : meta.files) {
    text += file.path;
    if (file.crc32c) text += " crc32 " + std::to_string(*file.crc32c);
    if (more && file.size) text += " size " + std::to_string(*file.size);
    if (more && file.temperature != Temperature::kUnknown) {
      text += " temp ";
      TextCodec<Temperature>::Print(TextMode(), file.temperature, &text);
    }
    if (more && file.excluded) {
      text.append(" ").append(kExcludedName).append(" true");
    }
    text += "\n";
  }
  return text;
}

Result<BackupMeta> DecodeBackupMeta(const Slice& text, BackupID id,
                                    const std::string& name) {
  BackupMeta meta;
  RETURN_IF_ERROR(Decoder(text, id, name).Decode(&meta));
  return meta;
}

}  // namespace ROCKSDB_NAMESPACE::engine
