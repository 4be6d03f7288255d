#include "env/io_profile.h"

#include <cassert>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "rocksdb/file_system.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// A profile of a dozen disks has less than 4 kB.
constexpr size_t kProfileBytesMax = size_t{64} * 1024;
constexpr uint64_t kKilo = 1000;
constexpr uint64_t kKibi = 1024;

// A number of a disk: its name in the file, where it goes, and its bounds.
struct ProfileNumber {
  std::string_view name;
  uint64_t IoProfile::*member;
  bool required;
  uint64_t min;
  uint64_t max;
  std::string_view unit;
};

constexpr uint64_t kBandwidthMax = kKilo * kKilo * kKilo * kKilo;
constexpr uint64_t kIopsMax = kKilo * kKilo * kKilo;
constexpr uint64_t kLengthMax = kKibi * kKibi * kKibi;

constexpr ProfileNumber kNumbers[] = {
    {"read_iops", &IoProfile::read_ops_per_second, true, 1, kIopsMax,
     "requests per second"},
    {"read_bandwidth", &IoProfile::read_bytes_per_second, true, kKilo,
     kBandwidthMax, "bytes per second"},
    {"write_iops", &IoProfile::write_ops_per_second, true, 1, kIopsMax,
     "requests per second"},
    {"write_bandwidth", &IoProfile::write_bytes_per_second, true, kKilo,
     kBandwidthMax, "bytes per second"},
    {"read_saturation_length", &IoProfile::read_saturation_bytes, false, 512,
     kLengthMax, "bytes"},
    {"write_saturation_length", &IoProfile::write_saturation_bytes, false, 512,
     kLengthMax, "bytes"},
};

constexpr std::string_view kDisks = "disks";
constexpr std::string_view kMountpoint = "mountpoint";
constexpr std::string_view kMountpoints = "mountpoints";
constexpr std::string_view kFactor = "rate_factor";
constexpr double kFactorMin = 0.01;
constexpr double kFactorMax = 10;
// Seastar's, without a meaning here.
constexpr std::string_view kIgnoredNames[] = {"physical_block_size", "duplex",
                                              "max_cost_function"};

bool IsControl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < ' ' || byte == 0x7f;
}

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) {
    text.remove_suffix(1);
  }
  return text;
}

// Without a comment: that begins at a # that no other text touches and that is
// outside of quotes.
std::string_view WithoutComment(std::string_view line) {
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool begins = i == 0 || line[i - 1] == ' ';
    if (quote == '"' && c == '\\') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (begins && (c == '"' || c == '\'')) {
      quote = c;
    } else if (begins && c == '#') {
      return line.substr(0, i);
    }
  }
  return line;
}

// What a suffix multiplies by; 0: no suffix that is known.
uint64_t FactorOf(std::string_view suffix) {
  if (suffix.empty()) return 1;
  uint64_t base = 0;
  const std::string_view behind = suffix.substr(1);
  if (behind.empty() || behind == "iB") base = kKibi;
  if (behind == "B") base = kKilo;
  switch (suffix.front()) {
    case 'k':
    case 'K':
      return base;
    case 'M':
      return base * base;
    case 'G':
      return base * base * base;
    case 'T':
      return base * base * base * base;
    default:
      return 0;
  }
}

bool ParseQuantity(std::string_view text, uint64_t min, uint64_t max,
                   uint64_t* value) {
  uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc()) return false;
  const uint64_t factor =
      FactorOf(Trimmed(text.substr(parsed.ptr - text.data())));
  if (factor == 0 || number > max / factor) return false;
  *value = number * factor;
  return *value >= min;
}

// The text between quotes, if there are any.
bool Unquote(std::string_view text, std::string* value) {
  value->clear();
  if (text.empty()) return false;
  const char quote = text.front();
  if (quote != '"' && quote != '\'') {
    *value = text;
    // These begin something else in YAML.
    return std::string_view("[]{}&*!|>%@`,?").find(quote) ==
           std::string_view::npos;
  }
  for (size_t i = 1; i < text.size(); ++i) {
    const bool last = i + 1 == text.size();
    if (text[i] == quote) {
      if (last) return !value->empty();
      if (quote == '"' || text[i + 1] != quote) return false;
      ++i;  // '' is one of them.
    } else if (quote == '"' && text[i] == '\\') {
      if (last || (text[i + 1] != '"' && text[i + 1] != '\\')) return false;
      ++i;
    }
    value->push_back(text[i]);
  }
  return false;
}

// True for "/a" and "/a/b", false for "/a" and "/ab".
bool HoldsPath(const std::string& mountpoint, const std::string& path) {
  std::string_view prefix = mountpoint;
  while (!prefix.empty() && prefix.back() == '/') prefix.remove_suffix(1);
  if (prefix.empty()) return !mountpoint.empty() && path.starts_with('/');
  return std::string_view(path).starts_with(prefix) &&
         (path.size() == prefix.size() || path[prefix.size()] == '/');
}

class ProfileParser {
 public:
  ProfileParser(const std::string& text, const std::string& file_name)
      : text_(text), file_name_(file_name) {}

  Status Parse() {
    if (text_.size() > kProfileBytesMax) {
      line_ = 1;
      return Bad("an I/O profile of at most 64 KiB", "a longer file");
    }
    RETURN_IF_ERROR(Top());
    while (NextLine()) {
      RETURN_IF_ERROR(TextOnly());
      RETURN_IF_ERROR(Line());
    }
    ++line_;
    RETURN_IF_ERROR(EndDisk());
    if (disks_.empty()) return Bad("\"- mountpoint:\" and a path", "the end");
    return Status::OK();
  }

  // Requires: Parse() was OK.
  Result<IoProfile> Select(const std::string& directory) const {
    const Disk* best = nullptr;
    size_t best_length = 0;
    for (const Disk& disk : disks_) {
      for (const std::string& mountpoint : disk.mountpoints) {
        if (!HoldsPath(mountpoint, directory)) continue;
        if (best != nullptr && mountpoint.size() <= best_length) continue;
        best = &disk;
        best_length = mountpoint.size();
      }
    }
    if (best == nullptr && disks_.size() == 1) best = disks_.data();
    if (best == nullptr) {
      return Status::InvalidArgument(
          file_name_ + ": expected a disk whose mountpoint holds " +
          (directory.empty() ? "the database" : "\"" + directory + "\"") +
          ", found " + std::to_string(disks_.size()) + " disks without it");
    }
    IoProfile profile = best->profile;
    profile.disk = static_cast<size_t>(best - disks_.data());
    for (const std::string& mountpoint : best->mountpoints) {
      if (profile.mountpoint.empty() || mountpoint.size() == best_length) {
        profile.mountpoint = mountpoint;
      }
    }
    return profile;
  }

 private:
  struct Disk {
    IoProfile profile;
    std::vector<std::string> mountpoints;
    std::vector<std::string> names;  // Of what was given.
    uint64_t line = 0;
  };

  Status Bad(const std::string& expected, const std::string& found) const {
    return Status::InvalidArgument(file_name_ + ": line " +
                                   std::to_string(line_) + ": expected " +
                                   expected + ", found " + found);
  }
  static std::string Quoted(std::string_view text) {
    if (text.empty()) return "nothing";
    constexpr size_t kShown = 60;
    return "\"" + std::string(text.substr(0, kShown)) +
           (text.size() > kShown ? "...\"" : "\"");
  }

  // The next line that has more than a comment; false at the end.
  bool NextLine() {
    while (position_ < text_.size()) {
      ++line_;
      const size_t end = text_.find('\n', position_);
      raw_ = std::string_view(text_).substr(
          position_, end == std::string::npos ? end : end - position_);
      position_ = end == std::string::npos ? text_.size() : end + 1;
      const std::string_view body = Trimmed(WithoutComment(raw_));
      if (body.empty()) continue;
      column_ = static_cast<size_t>(body.data() - raw_.data());
      body_ = body;
      return true;
    }
    return false;
  }

  Status TextOnly() const {
    for (const char c : body_) {
      if (!IsControl(c)) continue;
      char byte[8];
      std::snprintf(byte, sizeof(byte), "0x%02x", static_cast<uint8_t>(c));
      if (c == '\t') return Bad("spaces", "a tab");
      return Bad("a text file", std::string("the byte ") + byte);
    }
    return Status::OK();
  }

  Status Top() {
    const std::string expected = "the line \"disks:\" of an I/O profile";
    if (!NextLine()) {
      line_ = 1;
      return Bad(expected, text_.empty() ? "an empty file" : "no text");
    }
    RETURN_IF_ERROR(TextOnly());
    if (body_ == "---") {
      if (!NextLine()) return Bad(expected, "the end");
      RETURN_IF_ERROR(TextOnly());
    }
    if (body_.front() == '{') {
      return Bad(expected, Quoted(body_) + ", as in JSON");
    }
    if (column_ != 0 || body_ != "disks:") return Bad(expected, Quoted(body_));
    return Status::OK();
  }

  Status Line() {
    if (body_ == "-" || body_.starts_with("- ")) return Item();
    if (in_mountpoints_) RETURN_IF_ERROR(EndMountpoints());
    if (disks_.empty() || column_ <= item_column_) {
      return Bad("\"- mountpoint:\" and a path", Quoted(body_));
    }
    if (key_column_ == 0) key_column_ = column_;
    if (column_ != key_column_) {
      return Bad("a name in column " + std::to_string(key_column_ + 1),
                 Quoted(body_) + " in column " + std::to_string(column_ + 1));
    }
    return Entry(body_);
  }

  // A line that begins with a dash: another disk, or a mount point of one.
  Status Item() {
    const std::string_view rest = Trimmed(body_.substr(1));
    if (in_mountpoints_ && column_ >= key_column_) return AddMountpoint(rest);
    RETURN_IF_ERROR(EndDisk());
    if (disks_.empty()) item_column_ = column_;
    if (column_ != item_column_) {
      return Bad("\"-\" in column " + std::to_string(item_column_ + 1),
                 "it in column " + std::to_string(column_ + 1));
    }
    disks_.emplace_back();
    disks_.back().line = line_;
    key_column_ = 0;
    if (rest.empty()) return Status::OK();
    key_column_ = static_cast<size_t>(rest.data() - raw_.data());
    return Entry(rest);
  }

  // "name: value".
  Status Entry(std::string_view text) {
    Disk* const disk = &disks_.back();
    const size_t colon = text.find(':');
    if (colon == std::string_view::npos ||
        (colon + 1 < text.size() && text[colon + 1] != ' ')) {
      return Bad("a name, a colon and a value", Quoted(text));
    }
    const std::string name(Trimmed(text.substr(0, colon)));
    const std::string_view value = Trimmed(text.substr(colon + 1));
    for (const std::string& other : disk->names) {
      if (other == name) return Bad("another name", "a second " + Quoted(name));
    }
    disk->names.push_back(name);
    if (name == kMountpoint) return AddMountpoint(value);
    if (name == kMountpoints) return BeginMountpoints(value);
    if (name == kFactor) return SetFactor(value, disk);
    for (const ProfileNumber& number : kNumbers) {
      if (number.name == name) return SetNumber(number, value, disk);
    }
    for (const std::string_view ignored : kIgnoredNames) {
      if (ignored == name) return Status::OK();
    }
    return Bad("a name of an I/O profile, such as read_iops", Quoted(name));
  }

  Status SetNumber(const ProfileNumber& number, std::string_view value,
                   Disk* disk) const {
    std::string text;
    const bool good =
        Unquote(value, &text) && ParseQuantity(text, number.min, number.max,
                                               &(disk->profile.*number.member));
    if (good) return Status::OK();
    return Bad("from " + std::to_string(number.min) + " to " +
                   std::to_string(number.max) + " " + std::string(number.unit) +
                   " for " + std::string(number.name),
               Quoted(value));
  }

  Status SetFactor(std::string_view value, Disk* disk) const {
    std::string text;
    double factor = 0;
    if (Unquote(value, &text)) {
      const char* const end = text.data() + text.size();
      const auto parsed = std::from_chars(text.data(), end, factor);
      if (parsed.ec != std::errc() || parsed.ptr != end) factor = 0;
    }
    // Also refuses what is no number.
    if (!(factor >= kFactorMin && factor <= kFactorMax)) {
      return Bad("from 0.01 to 10 for rate_factor", Quoted(value));
    }
    disk->profile.k = factor;
    return Status::OK();
  }

  Status BeginMountpoints(std::string_view value) {
    if (!value.empty()) {
      return Bad("lines of \"- path\" below mountpoints", Quoted(value));
    }
    in_mountpoints_ = true;
    mountpoints_before_ = disks_.back().mountpoints.size();
    return Status::OK();
  }

  Status EndMountpoints() {
    in_mountpoints_ = false;
    if (disks_.back().mountpoints.size() > mountpoints_before_) {
      return Status::OK();
    }
    return Bad("\"- path\" below mountpoints", "none");
  }

  Status AddMountpoint(std::string_view value) {
    std::string path;
    if (!Unquote(value, &path)) {
      return Bad("the path of a mount point", Quoted(value));
    }
    for (const Disk& disk : disks_) {
      for (const std::string& other : disk.mountpoints) {
        if (other != path) continue;
        return Bad("another mount point", "a second " + Quoted(path));
      }
    }
    disks_.back().mountpoints.push_back(path);
    return Status::OK();
  }

  // All that a disk must have.
  Status EndDisk() {
    if (disks_.empty()) return Status::OK();
    if (in_mountpoints_) RETURN_IF_ERROR(EndMountpoints());
    const Disk& disk = disks_.back();
    const std::string of = "the disk of line " + std::to_string(disk.line);
    if (disk.mountpoints.empty()) {
      return Bad("mountpoint for " + of, "none");
    }
    for (const ProfileNumber& number : kNumbers) {
      if (!number.required || disk.profile.*number.member != 0) continue;
      return Bad(std::string(number.name) + " for " + of, "none");
    }
    return Status::OK();
  }

  const std::string& text_;
  const std::string& file_name_;
  size_t position_ = 0;
  uint64_t line_ = 0;
  std::string_view raw_;   // The line.
  std::string_view body_;  // Without what surrounds its text.
  size_t column_ = 0;      // Where that begins.

  std::vector<Disk> disks_;
  size_t item_column_ = 0;  // Of the dashes of disks.
  size_t key_column_ = 0;   // Of the names in the last one; 0: not known.
  bool in_mountpoints_ = false;
  size_t mountpoints_before_ = 0;
};

}  // namespace

Result<IoProfile> ParseIoProfile(const std::string& text,
                                 const std::string& file_name,
                                 const std::string& directory) {
  ProfileParser parser(text, file_name);
  RETURN_IF_ERROR(parser.Parse());
  return parser.Select(directory);
}

std::string FormatIoProfile(const IoProfile& profile) {
  std::string path;
  for (const char c : profile.mountpoint) {
    assert(!IsControl(c));
    if (c == '"' || c == '\\') path.push_back('\\');
    path.push_back(c);
  }
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-";
  const bool plain = path.starts_with('/') &&
                     path.find_first_not_of(kPlain) == std::string::npos;
  if (!plain) path = "\"" + path + "\"";
  std::string text = std::string(kDisks) + ":\n";
  text += "  - " + std::string(kMountpoint) + ": " + path + "\n";
  for (const ProfileNumber& number : kNumbers) {
    const uint64_t value = profile.*number.member;
    if (value == 0 && !number.required) continue;
    text +=
        "    " + std::string(number.name) + ": " + std::to_string(value) + "\n";
  }
  char factor[40];
  const auto end = std::to_chars(factor, factor + sizeof(factor), profile.k);
  text += "    " + std::string(kFactor) + ": " + std::string(factor, end.ptr) +
          "\n";
  return text;
}

Result<std::string> ReadIoProfileText(FileSystem* fs, const std::string& path) {
  std::unique_ptr<FSSequentialFile> file;
  IOStatus status =
      fs->NewSequentialFile(path, FileOptions(), &file, /*dbg=*/nullptr);
  std::string text;
  // One byte more than may be there tells that there is more.
  std::string scratch(kProfileBytesMax + 1, '\0');
  while (status.ok() && text.size() <= kProfileBytesMax) {
    Slice part;
    status = file->Read(scratch.size() - text.size(), IOOptions(), &part,
                        scratch.data(), /*dbg=*/nullptr);
    if (!status.ok() || part.empty()) break;
    text.append(part.data(), part.size());
  }
  if (!status.ok()) {
    return Status::IOError(path + ": cannot read this I/O profile",
                           status.ToString());
  }
  return text;
}

Result<IoProfile> ReadIoProfile(FileSystem* fs, const std::string& path,
                                const std::string& directory) {
  const Result<std::string> text = ReadIoProfileText(fs, path);
  RETURN_IF_ERROR(text.status());
  return ParseIoProfile(*text, path, directory);
}

}  // namespace ROCKSDB_NAMESPACE::engine
