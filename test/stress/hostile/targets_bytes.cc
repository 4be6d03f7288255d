// Readers of small things: integers, internal keys, batches, entities, merge
// operands, edits of the MANIFEST, strings of compaction services.

#include <deque>
#include <memory>

#include "db/manifest/version_edit.h"
#include "db/memtable/memtable_apply.h"
#include "db/remote_compaction/compaction_input.h"
#include "db/remote_compaction/compaction_result.h"
#include "db/write_batch/write_batch_internal.h"
#include "rocksdb/comparator.h"
#include "rocksdb/wide_columns.h"
#include "table/blob/blob_format.h"
#include "table/entity.h"
#include "table/internal_iterator.h"
#include "test/stress/hostile/target.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/merge_operators.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

void RunCoding(const std::string& input) {
  Slice rest = input;
  while (!rest.empty()) {
    const Slice before = rest;
    uint32_t v32 = 0;
    uint64_t v64 = 0;
    int64_t s64 = 0;
    uint16_t v16 = 0;
    Slice string;
    bool taken = false;
    switch (TakeByte(&rest) % 7) {
      case 0:
        taken = GetVarint32(&rest, &v32);
        break;
      case 1:
        taken = GetVarint64(&rest, &v64);
        break;
      case 2:
        taken = GetVarsignedint64(&rest, &s64);
        break;
      case 3:
        taken = GetFixed16(&rest, &v16);
        break;
      case 4:
        taken = GetFixed32(&rest, &v32);
        break;
      case 5:
        taken = GetFixed64(&rest, &v64);
        break;
      default:
        taken = GetLengthPrefixedSlice(&rest, &string);
    }
    Require(rest.size() < before.size(), "a reader of integers went back");
    if (!taken) {
      Require(rest.size() + 1 == before.size(), "a failed read took bytes");
    }
  }
}

std::vector<std::string> CodingSeeds() {
  std::string seed;
  for (const uint64_t v : {0ull, 127ull, 128ull, 1ull << 31, ~0ull}) {
    seed += '\1';
    PutVarint64(&seed, v);
    seed += '\2';
    PutVarsignedint64(&seed, static_cast<int64_t>(v));
    seed += '\5';
    PutFixed64(&seed, v);
    seed += '\6';
    PutLengthPrefixedSlice(&seed, "string");
    seed += std::string("\0\x7f\3ab\4abcd", 10);
  }
  return {seed};
}

void RunInternalKey(const std::string& input) {
  ParsedInternalKey parsed;
  if (ParseInternalKey(input, &parsed)) {
    (void)parsed.DebugString();
    (void)IsStoredPointType(parsed.type);
    Require(parsed.user_key.size() + kTrailerSize == input.size(),
            "a user key of another size");
    const InternalKeyComparator icmp(BytewiseComparator());
    Require(icmp.Compare(input, input) == 0, "a key differs from itself");
  }
  InternalKey key;
  key.DecodeFrom(input);
  (void)key.DebugString();
  BlobIndex index;
  if (index.DecodeFrom(input).ok()) {
    std::string again;
    index.EncodeTo(&again);
    BlobIndex same;
    Require(same.DecodeFrom(again).ok() && same.offset == index.offset &&
                same.size == index.size,
            "a blob index is not what it was");
    (void)index.DebugString();
  }
}

std::vector<std::string> InternalKeySeeds() {
  std::string blob;
  BlobIndex{7, 100, 20, kZSTD}.EncodeTo(&blob);
  return {InternalKey("key", 7, ValueType::kValue).Encode().ToString(),
          InternalKey("", kSequenceMax, ValueType::kMerge).Encode().ToString(),
          blob};
}

// ---- Batches.

class Families final : public FamilyResolver {
 public:
  Families() {
    MemTableOptions options;
    options.write_buffer_size = 64 << 10;
    options.arena_block_size = 4096;
    for (auto& memtable : memtables_) {
      memtable = std::make_unique<MemTable>(&icmp_, options, 0);
    }
  }
  Found Find(uint32_t id) override {
    using Verdict = Found::Verdict;
    if (id < 2) return {Verdict::kWrite, memtables_[id].get()};
    return {id == 2 ? Verdict::kSkip : Verdict::kMissing, nullptr};
  }
  void OnMemTableFull(uint32_t, MemTable*) override {}

  void Walk() const {
    for (const auto& memtable : memtables_) {
      const std::unique_ptr<InternalIterator> it(memtable->NewIterator());
      uint64_t entries = 0;
      for (it->SeekToFirst(); it->Valid(); it->Next()) ++entries;
      Require(
          entries + memtable->num_range_deletes() <= memtable->num_entries(),
          "more entries than were added");
    }
  }

 private:
  InternalKeyComparator icmp_{BytewiseComparator()};
  std::unique_ptr<MemTable> memtables_[2];
};

class CountingHandler final : public WriteBatch::Handler {
 public:
  Status PutCF(uint32_t, const Slice& k, const Slice& v) override {
    return See(k, v);
  }
  Status TimedPutCF(uint32_t, const Slice& k, const Slice& v,
                    uint64_t) override {
    return See(k, v);
  }
  Status PutEntityCF(uint32_t, const Slice& k, const Slice& v) override {
    return See(k, v);
  }
  Status DeleteCF(uint32_t, const Slice& k) override { return See(k, {}); }
  Status SingleDeleteCF(uint32_t, const Slice& k) override {
    return See(k, {});
  }
  Status DeleteRangeCF(uint32_t, const Slice& k, const Slice& v) override {
    return See(k, v);
  }
  Status MergeCF(uint32_t, const Slice& k, const Slice& v) override {
    return See(k, v);
  }
  Status PutBlobIndexCF(uint32_t, const Slice& k, const Slice& v) override {
    return See(k, v);
  }
  Status MarkBeginPrepare(bool) override { return Status::OK(); }
  Status MarkEndPrepare(const Slice& xid) override { return See(xid, {}); }
  Status MarkNoop(bool) override { return Status::OK(); }
  Status MarkRollback(const Slice& xid) override { return See(xid, {}); }
  Status MarkCommit(const Slice& xid) override { return See(xid, {}); }
  Status MarkCommitWithTimestamp(const Slice& xid, const Slice& ts) override {
    return See(xid, ts);
  }

 private:
  Status See(const Slice& key, const Slice& value) {
    for (const Slice& part : {key, value}) {
      if (!part.empty()) sum_ += part[0] + part[part.size() - 1];
    }
    return Status::OK();
  }
  int sum_ = 0;
};

void RunBatch(const std::string& input) {
  WriteBatch batch;
  if (!WriteBatchInternal::SetContents(&batch, input).ok()) return;
  CountingHandler handler;
  const bool good = batch.Iterate(&handler).ok();
  (void)batch.HasPut();
  (void)batch.HasDeleteRange();
  (void)batch.HasMerge();
  (void)batch.HasCommit();
  Families families;
  BatchShape shape;
  const bool checked = CheckBatch(input, &families, true, &shape).ok();
  Require(!checked || good, "a checked batch cannot be read");
  // Unchecked as by log replay: what was added before the error stays.
  const Status applied =
      ApplyBatch(input, 10, &families, {.ignore_missing = true});
  Require(!checked || applied.ok(), "a checked batch cannot be applied");
  families.Walk();
  WriteBatch sum;
  (void)sum.Put("a", "b");
  (void)WriteBatchInternal::Append(&sum, &batch);
  (void)sum.Count();
}

std::vector<std::string> BatchSeeds() {
  WriteBatch batch;
  for (const uint32_t family : {0u, 1u, 2u, 9u}) {
    (void)WriteBatchInternal::Put(&batch, family, "key", "value");
    (void)WriteBatchInternal::Merge(&batch, family, "key", "operand");
    (void)WriteBatchInternal::Delete(&batch, family, "key");
    (void)WriteBatchInternal::SingleDelete(&batch, family, "single");
    (void)WriteBatchInternal::DeleteRange(&batch, family, "a", "k");
    std::string entity;
    (void)EncodeEntity({{"", "default"}, {"column", "value"}}, &entity);
    (void)WriteBatchInternal::Add(&batch, kPutEntityRecord, family, "entity",
                                  entity);
  }
  (void)batch.PutLogData("log data");
  std::string transaction = batch.Data();
  transaction[kBatchHeaderSize] = static_cast<char>(ValueType::kBeginPrepare);
  std::string sections(kBatchHeaderSize, '\0');
  const auto mark = [&](ValueType type, int slices) {
    sections += static_cast<char>(type);
    for (int i = 0; i < slices; ++i) PutLengthPrefixedSlice(&sections, "xid");
  };
  for (const ValueType begin :
       {ValueType::kBeginPrepare, ValueType::kBeginPersistedPrepare,
        ValueType::kBeginUnprepare}) {
    mark(ValueType::kNoop, 0);
    mark(begin, 0);
    mark(ValueType::kValue, 2);
    mark(ValueType::kEndPrepare, 1);
    mark(ValueType::kCommit, 1);
    mark(ValueType::kRollback, 1);
    mark(ValueType::kCommitWithTimestamp, 2);
    mark(ValueType::kValuePreferredSeqno, 2);
    mark(ValueType::kBlobIndex, 2);
  }
  EncodeFixed32(sections.data() + kBatchCountOffset, 9);
  return {batch.Data(), transaction, sections};
}

// The count fits the records that can be read; the rest is cut off.
void SealBatch(std::string* input) {
  if (input->size() < kBatchHeaderSize) return;
  uint32_t count = 0;
  const Slice rep = *input;
  (void)ForEachRecord(rep, [&](const BatchRecord& record) {
    count += IsCounted(record.type);
    return true;
  });
  EncodeFixed32(input->data() + kBatchCountOffset, count);
}

// ---- Entities and what merge operators take.

void RunEntity(const std::string& input) {
  WideColumns columns;
  const bool good = DecodeEntity(input, &columns).ok();
  Slice value;
  bool elsewhere = false;
  (void)DefaultColumnOf(input, &value);
  (void)DefaultColumnOf(input, &value, &elsewhere);
  (void)StripPreferredSequence(input, &value);
  (void)ForEachBlobColumn(input, [](const Slice&) { return Status::OK(); });
  std::string result;
  const std::string blob(50, 'b');
  (void)InlineBlobColumns(
      input,
      [&](const Slice&, Slice* read) {
        *read = blob;
        return Status::OK();
      },
      &result, 1 << 20);
  (void)ReplaceDefaultColumn(input, "other", &result);
  if (!good) return;
  std::string again;
  Require(EncodeEntity(columns, &again).ok(), "a good entity is not encoded");
  WideColumns same;
  Require(DecodeEntity(again, &same).ok() && same == columns,
          "an entity is not what it was");
}

std::vector<std::string> EntitySeeds() {
  std::vector<std::string> seeds(3);
  (void)EncodeEntity({{"", "default"}, {"a", "1"}, {"b", ""}}, &seeds[0]);
  (void)EncodeEntity({{"only", std::string(200, 'v')}}, &seeds[1]);
  // Version 2, of which one column is elsewhere.
  std::string blob;
  BlobIndex{7, 100, 20, kNoCompression}.EncodeTo(&blob);
  std::string& second = seeds[2];
  PutVarint32(&second, 2);
  PutVarint32(&second, 2);
  for (const uint32_t size : {2u, 2u, 2u}) PutVarint32(&second, size);
  second += static_cast<char>(ValueType::kValue);
  second += static_cast<char>(ValueType::kBlobIndex);
  second += std::string("\1\1", 2);
  PutVarint32(&second, 5);
  PutVarint32(&second, static_cast<uint32_t>(blob.size()));
  second += "ab12345" + blob;
  return seeds;
}

const std::vector<std::shared_ptr<MergeOperator>>& Operators() {
  static const auto* const operators =
      new std::vector<std::shared_ptr<MergeOperator>>{
          NewPutOperator(),
          NewUInt64AddOperator(),
          NewStringAppendOperator(","),
          NewStringAppendTestOperator("::"),
          NewMaxOperator(),
          NewBytesXorOperator(),
          NewSortListOperator()};
  return *operators;
}

void RunMerge(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  std::vector<Slice> parts;
  for (Slice part; GetLengthPrefixedSlice(&rest, &part);) {
    parts.push_back(part);
  }
  if (!rest.empty()) parts.push_back(rest);
  if (parts.empty()) return;
  const auto& merge = *Operators()[how % Operators().size()];
  const Slice existing = parts[0];
  const bool has_base = how >= 128 && parts.size() > 1;
  const std::vector<Slice> operands(parts.begin() + has_base, parts.end());
  std::string result;
  Slice chosen;
  MergeOperator::MergeOperationOutput out(result, chosen);
  const Slice key = "key";
  const MergeOperator::MergeOperationInput in(
      key, has_base ? &existing : nullptr, operands, nullptr);
  (void)merge.FullMergeV2(in, &out);
  (void)merge.ShouldMerge(operands);
  if (operands.size() < 2) return;
  result.clear();
  (void)merge.PartialMerge("key", operands[0], operands[1], &result, nullptr);
  result.clear();
  (void)merge.PartialMergeMulti(
      "key", std::deque<Slice>(operands.begin(), operands.end()), &result,
      nullptr);
}

std::vector<std::string> MergeSeeds() {
  std::vector<std::string> seeds;
  for (size_t i = 0; i < Operators().size(); ++i) {
    for (const int base : {0, 128}) {
      // The first of each hundred and so on; any byte picks an operator.
      size_t how = i;
      while (how < static_cast<size_t>(base)) how += Operators().size();
      std::string seed(1, static_cast<char>(how));
      PutLengthPrefixedSlice(&seed, "12345678");
      PutLengthPrefixedSlice(&seed, "3,4,9");
      PutLengthPrefixedSlice(&seed, std::string("\1\0\0\0\0\0\0\0", 8));
      PutLengthPrefixedSlice(&seed, "");
      seeds.push_back(seed);
    }
  }
  return seeds;
}

// ---- One record of a MANIFEST.

void RunVersionEdit(const std::string& input) {
  VersionEdit edit;
  if (!edit.DecodeFrom(input).ok()) return;
  (void)edit.DebugString(true);
  (void)edit.DebugString(false);
  (void)edit.DebugJson(3, true);
  std::string again;
  edit.EncodeTo(&again);
  // A checksum without the name of its function is not kept; what was written
  // once stays.
  VersionEdit same;
  Require(same.DecodeFrom(again).ok(), "an edit that was read is not written");
  std::string third;
  same.EncodeTo(&third);
  Require(again == third, "an edit is not what it was");
}

std::vector<std::string> VersionEditSeeds() {
  VersionEdit whole;
  whole.db_id = "an identity";
  whole.comparator_name = "leveldb.BytewiseComparator";
  whole.log_number = 9;
  whole.next_file_number = 20;
  whole.last_sequence = 100;
  whole.min_log_number_to_keep = 8;
  whole.max_column_family = 3;
  whole.wal_additions.push_back({7, 100});
  whole.wal_additions.push_back({8, {}});
  whole.wals_deleted_below = 6;
  whole.full_history_ts_low = "12345678";
  whole.persist_timestamps = false;
  whole.atomic_group_remaining = 2;
  VersionEdit family;
  family.column_family = 2;
  family.added_family = "family";
  family.compact_cursors.push_back(
      {1, InternalKey("key", 7, ValueType::kValue)});
  VersionEdit files;
  files.DeleteFile(3, 17);
  auto file = std::make_shared<FileMetaData>();
  file->number = 18;
  file->size = 1000;
  file->smallest = InternalKey("a", 7, ValueType::kValue);
  file->largest = InternalKey("z", 9, ValueType::kMerge);
  files.AddFile(1, file);
  std::vector<std::string> seeds(3);
  whole.EncodeTo(&seeds[0]);
  family.EncodeTo(&seeds[1]);
  files.EncodeTo(&seeds[2]);
  return seeds;
}

// ---- What a compaction service carries.

void RunServiceString(const std::string& input) {
  RemoteInput job;
  if (job.DecodeFrom(input).ok()) {
    RemoteInput again;
    Require(again.DecodeFrom(job.Encode()).ok() && again == job,
            "a compaction input is not what it was");
  }
  RemoteResult result;
  if (result.DecodeFrom(input).ok() && result.status.ok()) {
    (void)result.CheckAnswers(job);
  }
}

std::vector<std::string> ServiceStringSeeds() {
  RemoteInput job;
  job.db_name = "/db";
  job.family_name = "default";
  job.dirs = {"/db", "/more"};
  job.levels = {{0, {12, 11}}, {1, {7}}};
  job.output_level = 1;
  job.compression = kZSTD;
  job.smallest_user_key = "a";
  job.largest_user_key = "z";
  job.snapshots = {4, 5};
  job.blob_numbers = 10;
  RemoteResult result = RemoteResult::To(job);
  result.output_directory = "/output";
  result.edit.DeleteFile(0, 12);
  auto file = std::make_shared<FileMetaData>();
  file->number = 18;
  file->size = 1000;
  file->smallest = InternalKey("a", 7, ValueType::kValue);
  file->largest = InternalKey("z", 9, ValueType::kMerge);
  result.edit.AddFile(1, file);
  RemoteResult failed = RemoteResult::To(job);
  failed.status = Status::Aborted("why");
  return {job.Encode(), result.Encode(), failed.Encode()};
}

// Length and checksum: sealed_fields.h.
void SealServiceString(std::string* input) {
  constexpr size_t kLengthAt = 12;
  constexpr size_t kHeadBytes = 20;
  constexpr size_t kChecksumBytes = 4;
  if (input->size() < kHeadBytes + kChecksumBytes) return;
  const size_t covered = input->size() - kChecksumBytes;
  EncodeFixed64(input->data() + kLengthAt, covered - kHeadBytes);
  EncodeFixed32(input->data() + covered,
                crc32c::Mask(crc32c::Value(input->data(), covered)));
}

}  // namespace

void AddByteTargets(std::vector<Target>* targets) {
  targets->push_back(
      {.name = "coding", .weight = 60, .run = RunCoding, .seeds = CodingSeeds});
  targets->push_back({.name = "internal_key",
                      .weight = 40,
                      .run = RunInternalKey,
                      .seeds = InternalKeySeeds});
  targets->push_back({.name = "batch",
                      .weight = 120,
                      .run = RunBatch,
                      .seeds = BatchSeeds,
                      .seal = SealBatch});
  targets->push_back({.name = "entity",
                      .weight = 80,
                      .memory_base = size_t{2} << 20,
                      .run = RunEntity,
                      .seeds = EntitySeeds});
  targets->push_back(
      {.name = "merge", .weight = 60, .run = RunMerge, .seeds = MergeSeeds});
  targets->push_back({.name = "version_edit",
                      .weight = 120,
                      .run = RunVersionEdit,
                      .seeds = VersionEditSeeds});
  targets->push_back({.name = "service_string",
                      .weight = 60,
                      .memory_per_byte = 128,
                      .run = RunServiceString,
                      .seeds = ServiceStringSeeds,
                      .seal = SealServiceString});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
