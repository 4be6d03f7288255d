#include "env/device_model.h"

#include <algorithm>
#include <cassert>

#include "util/check.h"

namespace ROCKSDB_NAMESPACE::engine {

uint64_t DeviceModel::NanosFor(uint64_t bytes, uint64_t mbps) {
  // A megabyte a second is a byte a microsecond.
  return mbps == 0 ? 0 : bytes * 1000 / mbps;
}

DeviceModel::FileId DeviceModel::AddFile(const FileKind& kind) {
  const FileId id = next_file_++;
  files_[id].kind = kind;
  return id;
}

void DeviceModel::RemoveFile(FileId file) { files_.erase(file); }

uint64_t DeviceModel::Charge(File* file, uint64_t bytes, uint64_t now_ns) {
  written_bytes_ += bytes;
  write_free_ns_ =
      std::max(write_free_ns_, now_ns) + NanosFor(bytes, options_.write_mbps);
  assert(write_free_ns_ >= file->drained_at_ns);  // First in, first out.
  file->drained_at_ns = write_free_ns_;
  return write_free_ns_;
}

uint64_t DeviceModel::Append(FileId file, uint64_t bytes, uint64_t now_ns) {
  const auto it = files_.find(file);
  if (NEVER(it == files_.end())) return now_ns;
  File& f = it->second;
  if (f.kind.direct) {
    f.size += bytes;
    return Charge(&f, bytes, now_ns);
  }
  Cache(&f, bytes);
  if (f.kind.is_wal && !options_.charge_wal) {
    f.uncharged_bytes += bytes;
    return now_ns;
  }
  const uint64_t drained_ns = Charge(&f, bytes, now_ns);
  // The pool is full up to the moment when all but its limit has drained.
  const uint64_t pool_ns =
      NanosFor(options_.dirty_bytes_max, options_.write_mbps);
  return drained_ns > now_ns + pool_ns ? drained_ns - pool_ns : now_ns;
}

uint64_t DeviceModel::Sync(FileId file, uint64_t now_ns) {
  const auto it = files_.find(file);
  if (NEVER(it == files_.end())) return now_ns;
  File& f = it->second;
  if (f.uncharged_bytes > 0) {
    Charge(&f, f.uncharged_bytes, now_ns);
    f.uncharged_bytes = 0;
  }
  return std::max(now_ns, f.drained_at_ns);
}

uint64_t DeviceModel::Read(FileId file, uint64_t offset, uint64_t bytes,
                           bool direct, uint64_t now_ns) {
  const auto it = files_.find(file);
  if (it == files_.end() || direct) return ReadCold(bytes, now_ns);
  return ReadCold(bytes - CachedBytes(it->second, offset, bytes), now_ns);
}

uint64_t DeviceModel::ReadCold(uint64_t bytes, uint64_t now_ns) {
  if (bytes == 0) return now_ns;
  read_bytes_ += bytes;
  read_free_ns_ =
      std::max(read_free_ns_, now_ns) + NanosFor(bytes, options_.read_mbps);
  return read_free_ns_;
}

uint64_t DeviceModel::QueuedBytes(uint64_t now_ns) const {
  if (write_free_ns_ <= now_ns) return 0;
  return (write_free_ns_ - now_ns) * options_.write_mbps / 1000;
}

void DeviceModel::Cache(File* file, uint64_t bytes) {
  const Extent added{file->size, bytes, buffered_position_};
  file->size += bytes;
  buffered_position_ += bytes;
  DropUncached(file);
  if (!file->extents.empty()) {
    Extent& last = file->extents.back();
    assert(last.offset + last.length <= added.offset &&
           last.position + last.length <= added.position);
    if (last.offset + last.length == added.offset &&
        last.position + last.length == added.position) {
      last.length += bytes;
      return;
    }
  }
  file->extents.push_back(added);
}

uint64_t DeviceModel::OldestCached() const {
  return buffered_position_ > options_.cached_bytes
             ? buffered_position_ - options_.cached_bytes
             : 0;
}

void DeviceModel::DropUncached(File* file) const {
  const uint64_t oldest = OldestCached();
  std::deque<Extent>& extents = file->extents;
  while (!extents.empty() &&
         extents.front().position + extents.front().length <= oldest) {
    extents.pop_front();
  }
}

uint64_t DeviceModel::CachedBytes(const File& file, uint64_t offset,
                                  uint64_t bytes) const {
  const uint64_t oldest = OldestCached();
  const std::deque<Extent>& extents = file.extents;
  const auto first = std::upper_bound(
      extents.begin(), extents.end(), offset,
      [](uint64_t o, const Extent& e) { return o < e.offset + e.length; });
  uint64_t cached = 0;
  for (auto it = first; it != extents.end(); ++it) {
    const uint64_t gone = oldest > it->position ? oldest - it->position : 0;
    const uint64_t begin = std::max(offset, it->offset + gone);
    const uint64_t end = std::min(offset + bytes, it->offset + it->length);
    if (it->offset >= offset + bytes) break;
    if (begin < end) cached += end - begin;
  }
  assert(cached <= bytes);
  return cached;
}

}  // namespace ROCKSDB_NAMESPACE::engine
