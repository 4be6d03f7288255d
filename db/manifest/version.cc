#include "db/manifest/version.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <map>
#include <utility>

namespace ROCKSDB_NAMESPACE::engine {

uint64_t KeyPrefix(const Slice& user_key) {
  uint64_t prefix = 0;
  std::memcpy(&prefix, user_key.data(),
              std::min(user_key.size(), sizeof(prefix)));
  if constexpr (std::endian::native == std::endian::little) {
    prefix = __builtin_bswap64(prefix);
  }
  return prefix;
}

// ---- LevelFiles -----------------------------------------------------------

LevelFiles::LevelFiles(std::vector<FilePtr> level_files)
    : files(std::move(level_files)) {
  flat.reserve(files.size());
  largest_prefix.reserve(files.size());
  for (const FilePtr& file : files) {
    assert(file != nullptr);
    assert(file->smallest.Valid() && file->largest.Valid());
    flat.push_back(
        {file->smallest.Encode(), file->largest.Encode(), file.get()});
    largest_prefix.push_back(KeyPrefix(file->largest.user_key()));
    total_bytes += file->size;
  }
  assert(flat.size() == files.size());  // (1)
  assert(largest_prefix.size() == files.size());
}

namespace {

// Where a key with this user-key prefix can end up: first files of the level
// for which the prefix alone does not say "before".
struct Window {
  size_t first;
  size_t last;
};

Window PrefixWindow(const LevelFiles& level, const Slice& user_key) {
  const std::vector<uint64_t>& prefixes = level.largest_prefix;
  const auto range =
      std::equal_range(prefixes.begin(), prefixes.end(), KeyPrefix(user_key));
  // A larger prefix is a larger key, so the answer is at most range.second.
  return {static_cast<size_t>(range.first - prefixes.begin()),
          static_cast<size_t>(range.second - prefixes.begin())};
}

}  // namespace

size_t LevelFiles::Find(const InternalKeyComparator& icmp,
                        const Slice& internal_key) const {
  Window window{0, flat.size()};
  if (icmp.bytewise()) {
    window = PrefixWindow(*this, ExtractUserKey(internal_key));
  }
  assert(window.first <= window.last && window.last <= flat.size());
  const auto begin = flat.begin();
  const auto it =
      std::partition_point(begin + static_cast<std::ptrdiff_t>(window.first),
                           begin + static_cast<std::ptrdiff_t>(window.last),
                           [&](const LevelFile& f) {
                             return icmp.Compare(f.largest, internal_key) < 0;
                           });
  assert(it == flat.end() || icmp.Compare(it->largest, internal_key) >= 0);
  return static_cast<size_t>(it - begin);
}

size_t LevelFiles::FindUserKey(const InternalKeyComparator& icmp,
                               const Slice& user_key) const {
  Window window{0, flat.size()};
  if (icmp.bytewise()) window = PrefixWindow(*this, user_key);
  assert(window.first <= window.last && window.last <= flat.size());
  const auto begin = flat.begin();
  const auto it = std::partition_point(
      begin + static_cast<std::ptrdiff_t>(window.first),
      begin + static_cast<std::ptrdiff_t>(window.last),
      [&](const LevelFile& f) {
        return icmp.CompareKeys(f.largest_user_key(), user_key) < 0;
      });
  assert(it == flat.end() ||
         icmp.CompareKeys(it->largest_user_key(), user_key) >= 0);
  return static_cast<size_t>(it - begin);
}

// ---- Version --------------------------------------------------------------

namespace {

const LevelFilesPtr& EmptyLevel() {
  static const LevelFilesPtr* const empty =
      new LevelFilesPtr(std::make_shared<LevelFiles>(std::vector<FilePtr>()));
  return *empty;
}

const BlobFilesPtr& NoBlobFiles() {
  static const BlobFilesPtr* const none =
      new BlobFilesPtr(std::make_shared<BlobFiles>());
  return *none;
}

bool Overlaps(const InternalKeyComparator& icmp, const LevelFile& f,
              const Slice* begin, const Slice* end) {
  if (begin != nullptr && icmp.CompareKeys(f.largest_user_key(), *begin) < 0) {
    return false;
  }
  return end == nullptr || icmp.CompareKeys(f.smallest_user_key(), *end) <= 0;
}

}  // namespace

Version::Version(const InternalKeyComparator* icmp,
                 std::vector<LevelFilesPtr> levels, uint64_t id,
                 BlobFilesPtr blobs)
    : icmp_(icmp),
      levels_(std::move(levels)),
      blobs_(blobs != nullptr ? std::move(blobs) : BlobFilesPtr(NoBlobFiles())),
      id_(id) {
  assert(icmp_ != nullptr);
  assert(!levels_.empty());
  for (size_t i = 0; i < levels_.size(); ++i) {
    if (levels_[i] == nullptr) levels_[i] = EmptyLevel();
    if (!levels_[i]->empty()) num_non_empty_levels_ = static_cast<int>(i) + 1;
  }
}

Version::~Version() = default;

uint64_t Version::TotalBytes() const {
  uint64_t bytes = 0;
  for (const LevelFilesPtr& level : levels_) bytes += level->total_bytes;
  return bytes;
}

uint64_t Version::TotalFiles() const {
  uint64_t count = 0;
  for (const LevelFilesPtr& level : levels_) count += level->size();
  return count;
}

// The half-open range of indexes of a sorted level that overlap.
void Version::SortedRange(int level, const Slice* begin, const Slice* end,
                          size_t* first, size_t* last) const {
  assert(level > 0);  // Level 0 is not sorted by key.
  const LevelFiles& files = this->level(level);
  *first = begin == nullptr ? 0 : files.FindUserKey(*icmp_, *begin);
  *last = files.size();
  if (end != nullptr) {
    const auto it = std::partition_point(
        files.flat.begin() + static_cast<std::ptrdiff_t>(*first),
        files.flat.end(), [&](const LevelFile& f) {
          return icmp_->CompareKeys(f.smallest_user_key(), *end) <= 0;
        });
    *last = static_cast<size_t>(it - files.flat.begin());
  }
}

std::vector<FilePtr> Version::FilesTouching(int level, const Slice* begin,
                                            const Slice* end) const {
  std::vector<FilePtr> out;
  assert(level >= 0);
  if (level >= num_non_empty_levels_) return out;
  const LevelFiles& files = this->level(level);
  if (level == 0) {
    for (size_t i = 0; i < files.size(); ++i) {
      if (Overlaps(*icmp_, files.flat[i], begin, end)) {
        out.push_back(files.files[i]);
      }
    }
    return out;
  }
  size_t first = 0;
  size_t last = 0;
  SortedRange(level, begin, end, &first, &last);
  for (size_t i = first; i < last; ++i) out.push_back(files.files[i]);
  return out;
}

std::vector<FilePtr> Version::OverlappingFiles(int level, const Slice* begin,
                                               const Slice* end) const {
  if (level > 0) return FilesTouching(level, begin, end);
  std::vector<FilePtr> out;
  AppendOverlapsL0(begin, end, &out);
  return out;
}

void Version::AppendOverlapsL0(const Slice* begin, const Slice* end,
                               std::vector<FilePtr>* out) const {
  const LevelFiles& files = level(0);
  std::vector<bool> taken(files.size(), false);
  // A null end stays null: it cannot grow.
  Slice low = begin == nullptr ? Slice() : *begin;
  Slice high = end == nullptr ? Slice() : *end;
  const auto grow = [&](const LevelFile& f) {
    bool grown = false;
    if (begin != nullptr &&
        icmp_->CompareKeys(f.smallest_user_key(), low) < 0) {
      low = f.smallest_user_key();
      grown = true;
    }
    if (end != nullptr && icmp_->CompareKeys(f.largest_user_key(), high) > 0) {
      high = f.largest_user_key();
      grown = true;
    }
    return grown;
  };
  bool again = true;
  while (again) {
    again = false;
    for (size_t i = 0; i < files.size(); ++i) {
      const LevelFile& f = files.flat[i];
      if (taken[i] || !Overlaps(*icmp_, f, begin == nullptr ? nullptr : &low,
                                end == nullptr ? nullptr : &high)) {
        continue;
      }
      taken[i] = true;
      again |= grow(f);
    }
  }
  for (size_t i = 0; i < files.size(); ++i) {
    if (taken[i]) out->push_back(files.files[i]);
  }
}

void Version::ExpandToCleanCut(int level, std::vector<FilePtr>* inputs) const {
  if (level == 0 || inputs->empty()) return;
  const LevelFiles& files = this->level(level);
  size_t first = files.Find(*icmp_, inputs->front()->smallest.Encode());
  size_t last = files.Find(*icmp_, inputs->back()->largest.Encode());
  if (first >= files.size() || last >= files.size()) return;
  // A sentinel boundary is exclusive: the next file starts there, and the cut
  // is clean although the user keys are equal.
  const auto shares = [&](size_t left, size_t right) {
    const Slice largest = files.flat[left].largest;
    return !IsRangeSentinel(largest) &&
           icmp_->SameKey(ExtractUserKey(largest),
                          files.flat[right].smallest_user_key());
  };
  while (first > 0 && shares(first - 1, first)) --first;
  while (last + 1 < files.size() && shares(last, last + 1)) ++last;
  inputs->assign(files.files.begin() + static_cast<std::ptrdiff_t>(first),
                 files.files.begin() + static_cast<std::ptrdiff_t>(last) + 1);
}

bool Version::KeyRangeOverlapsLevel(int level, const Slice* begin,
                                    const Slice* end) const {
  if (level >= num_non_empty_levels_) return false;
  if (level == 0) {
    const LevelFiles& files = this->level(0);
    return std::any_of(
        files.flat.begin(), files.flat.end(),
        [&](const LevelFile& f) { return Overlaps(*icmp_, f, begin, end); });
  }
  size_t first = 0;
  size_t last = 0;
  SortedRange(level, begin, end, &first, &last);
  return first < last;
}

bool Version::RangeOverlapsBelow(int level, const Slice& begin,
                                 const Slice& end) const {
  assert(level >= 0 && icmp_->CompareUserKey(begin, end) <= 0);
  for (int below = level + 1; below < num_non_empty_levels_; ++below) {
    if (KeyRangeOverlapsLevel(below, &begin, &end)) return true;
  }
  return false;
}

FilePtr Version::FindFile(uint64_t number, int* level) const {
  for (int i = 0; i < num_levels(); ++i) {
    for (const FilePtr& file : files(i)) {
      if (file->number != number) continue;
      if (level != nullptr) *level = i;
      return file;
    }
  }
  return nullptr;
}

uint64_t Version::EstimateLiveDataSize() const {
  // Ranges already counted, by largest key -> smallest key. Deeper levels go
  // first: a file above them mostly rewrites what they hold.
  const auto less = [this](const Slice& a, const Slice& b) {
    return icmp_->Compare(a, b) < 0;
  };
  std::map<Slice, Slice, decltype(less)> counted(less);
  uint64_t bytes = 0;
  for (int l = num_non_empty_levels_ - 1; l >= 0; --l) {
    const bool last_level = counted.empty();
    const std::vector<LevelFile>& files = level(l).flat;
    // Level 0 from the newest, which is the most complete.
    for (const LevelFile& f : files) {
      const auto it =
          last_level && l > 0 ? counted.end() : counted.lower_bound(f.smallest);
      const bool overlaps =
          it != counted.end() && icmp_->Compare(it->second, f.largest) <= 0;
      if (overlaps) continue;
      bytes += f.file->size;
      counted.emplace_hint(it, f.largest, f.smallest);
    }
  }
  return bytes;
}

std::string Version::DebugString(bool hex) const {
  std::string text;
  for (int l = 0; l < num_levels(); ++l) {
    text += "--- level " + std::to_string(l) + " --- version# " +
            std::to_string(id_) + " ---\n";
    for (const FilePtr& f : files(l)) {
      text += " " + std::to_string(f->number) + ":" + std::to_string(f->size) +
              "[" + std::to_string(f->smallest_sequence) + " .. " +
              std::to_string(f->largest_sequence) + "][" +
              f->smallest.DebugString(hex) + " .. " +
              f->largest.DebugString(hex) + "]";
      text += f->being_compacted ? "(being compacted)\n" : "\n";
    }
  }
  return text;
}

}  // namespace ROCKSDB_NAMESPACE::engine
