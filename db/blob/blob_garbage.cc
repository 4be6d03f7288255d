#include "db/blob/blob_garbage.h"

#include <cassert>
#include <utility>

#include "db/blob/blob_references.h"

namespace ROCKSDB_NAMESPACE::engine {

Status BlobGarbageMeter::CountIn(const Slice& internal_key,
                                 const Slice& value) {
  assert(internal_key.size() >= kTrailerSize);
  const size_t key_size = internal_key.size() - kTrailerSize;
  Status damage;
  RETURN_IF_ERROR(
      ForEachBlob(ExtractType(internal_key), value, [&](const BlobIndex& b) {
        if (b.file_number < oldest_) {
          damage = Status::Corruption(b.DebugString(),
                                      "expected no file below " +
                                          std::to_string(oldest_) +
                                          ", which the inputs are linked to");
        }
        Flow& in = files_[b.file_number].in;
        ++in.count;
        in.bytes += BlobRecordBytes(key_size, b.size);
      }));
  return damage;
}

Status BlobGarbageMeter::CountOut(const Slice& internal_key,
                                  const Slice& value) {
  assert(internal_key.size() >= kTrailerSize);
  const size_t key_size = internal_key.size() - kTrailerSize;
  return ForEachBlob(ExtractType(internal_key), value, [&](const BlobIndex& b) {
    const auto it = files_.find(b.file_number);
    if (it == files_.end()) return;  // A file made by this compaction.
    ++it->second.out.count;
    it->second.out.bytes += BlobRecordBytes(key_size, b.size);
  });
}

void BlobGarbageMeter::Add(const BlobGarbageMeter& other) {
  for (const auto& [number, flows] : other.files_) {
    Flows& mine = files_[number];
    mine.in.count += flows.in.count;
    mine.in.bytes += flows.in.bytes;
    mine.out.count += flows.out.count;
    mine.out.bytes += flows.out.bytes;
  }
}

std::vector<BlobFileGarbage> BlobGarbageMeter::Garbage() const {
  std::vector<BlobFileGarbage> garbage;
  for (const auto& [number, flows] : files_) {
    assert(flows.out.count <= flows.in.count);
    assert(flows.out.bytes <= flows.in.bytes);
    if (flows.out.count >= flows.in.count) continue;
    garbage.push_back({number, flows.in.count - flows.out.count,
                       flows.in.bytes - flows.out.bytes});
  }
  return garbage;
}

BlobInflowIterator::BlobInflowIterator(std::unique_ptr<InternalIterator> input,
                                       const InternalKeyComparator* icmp,
                                       std::optional<std::string> end,
                                       BlobGarbageMeter* meter)
    : input_(std::move(input)),
      icmp_(icmp),
      end_(std::move(end)),
      meter_(meter) {}

void BlobInflowIterator::Arrive() {
  Mirror(*input_);
  if (!valid_ || key_.size() < kTrailerSize) return;
  if (end_ && icmp_->CompareUserKey(ExtractUserKey(key_), *end_) >= 0) {
    valid_ = false;
    return;
  }
  status_ = meter_->CountIn(key_, value_);
  if (!status_.ok()) valid_ = false;
}

void BlobInflowIterator::SeekToFirst() {
  input_->SeekToFirst();
  Arrive();
}

void BlobInflowIterator::Seek(const Slice& target) {
  input_->Seek(target);
  Arrive();
}

void BlobInflowIterator::Next() {
  input_->Next();
  Arrive();
}

// Not supported: moving backwards would count entries twice.
void BlobInflowIterator::Backwards() {
  valid_ = false;
  status_ = Status::NotSupported("compaction inputs are read forwards only");
}

void BlobInflowIterator::SeekToLast() { Backwards(); }
void BlobInflowIterator::SeekForPrev(const Slice& /*target*/) { Backwards(); }
void BlobInflowIterator::Prev() { Backwards(); }

Status BlobInflowIterator::status() const {
  return status_.ok() ? input_->status() : status_;
}

}  // namespace ROCKSDB_NAMESPACE::engine
