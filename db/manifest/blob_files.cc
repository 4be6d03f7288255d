#include "db/manifest/blob_files.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "db/format/file_names.h"
#include "db/manifest/version.h"
#include "table/blob/blob_file_reader.h"

namespace ROCKSDB_NAMESPACE::engine {

BlobFile::~BlobFile() {
  delete pinned_reader_.load(std::memory_order_relaxed);
  if (removed_ && home != nullptr && home->obsolete != nullptr) {
    home->obsolete->Add({number(), size(), Path(), home->family_id, kBlobFile});
  }
}

uint64_t BlobFile::size() const {
  return kBlobHeaderSize + facts.blob_bytes + kBlobFooterSize;
}

std::string BlobFile::Path() const {
  assert(home != nullptr);
  return BlobFileName(home->Dir(0), number());
}

const BlobFileReader* BlobFile::PinReader(
    std::unique_ptr<BlobFileReader> reader) const {
  assert(reader != nullptr);
  BlobFileReader* seen = nullptr;
  if (pinned_reader_.compare_exchange_strong(seen, reader.get(),
                                             std::memory_order_acq_rel)) {
    return reader.release();
  }
  return seen;
}

const LiveBlobFile* BlobFiles::Find(uint64_t number) const {
  const auto it = std::lower_bound(
      files.begin(), files.end(), number,
      [](const LiveBlobFile& f, uint64_t n) { return f.number() < n; });
  return it != files.end() && it->number() == number ? &*it : nullptr;
}

uint64_t BlobFiles::FileBytes() const {
  uint64_t bytes = 0;
  for (const LiveBlobFile& f : files) bytes += f.file->size();
  return bytes;
}

uint64_t BlobFiles::TotalBytes() const {
  uint64_t bytes = 0;
  for (const LiveBlobFile& f : files) bytes += f.total_bytes();
  return bytes;
}

uint64_t BlobFiles::GarbageBytes() const {
  uint64_t bytes = 0;
  for (const LiveBlobFile& f : files) bytes += f.garbage_bytes;
  return bytes;
}

uint64_t BlobFiles::LiveBytes() const {
  const uint64_t all = FileBytes();
  return all - std::min(all, GarbageBytes());
}

uint64_t BlobFiles::CollectBelow(double age_cutoff) const {
  const auto count = static_cast<size_t>(std::clamp(age_cutoff, 0.0, 1.0) *
                                         static_cast<double>(files.size()));
  if (count == 0) return 0;
  assert(count <= files.size());
  return count < files.size() ? files[count].number() : UINT64_MAX;
}

BlobFilesPtr LiveBlobFiles(
    const std::map<uint64_t, LiveBlobFile>& all,
    const std::vector<std::shared_ptr<const LevelFiles>>& levels,
    std::vector<BlobFilePtr>* dropped) {
  std::set<uint64_t> linked;
  for (const auto& level : levels) {
    if (level == nullptr) continue;
    for (const FilePtr& f : level->files) {
      if (f->oldest_blob_file != kNoBlobFile) {
        linked.insert(f->oldest_blob_file);
      }
    }
  }
  auto live = std::make_shared<BlobFiles>();
  for (const auto& [number, blob] : all) {
    assert(blob.file != nullptr && blob.file->number() == number);
    const bool garbage = blob.garbage_count >= blob.file->facts.blob_count;
    const bool gone = linked.empty() || number < *linked.begin() ||
                      (garbage && !linked.contains(number));
    if (!gone) {
      live->files.push_back(blob);
    } else if (dropped != nullptr) {
      dropped->push_back(blob.file);
    }
  }
  if (live->files.empty()) return nullptr;
  // version_builder.h (3)
  assert(live->files.front().number() >= *linked.begin());
  return live;
}

}  // namespace ROCKSDB_NAMESPACE::engine
