// Logs and MANIFESTs: the framing in every mode, and what the records of a
// MANIFEST add up to.

#include "db/manifest/manifest_state.h"
#include "db/manifest/version_edit.h"
#include "db/wal/log_reader.h"
#include "db/wal/log_writer.h"
#include "env/mem/mem_file_system.h"
#include "rocksdb/env.h"
#include "test/stress/hostile/mutator.h"
#include "test/stress/hostile/target.h"
#include "test/table/table_fixture.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

class StringSequentialFile final : public FSSequentialFile {
 public:
  explicit StringSequentialFile(Slice bytes) : bytes_(bytes) {}
  IOStatus Read(size_t n, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) override {
    n = std::min(n, bytes_.size());
    std::memcpy(scratch, bytes_.data(), n);
    bytes_.remove_prefix(n);
    *result = Slice(scratch, n);
    return IOStatus::OK();
  }
  IOStatus Skip(uint64_t n) override {
    bytes_.remove_prefix(std::min<size_t>(n, bytes_.size()));
    return IOStatus::OK();
  }

 private:
  Slice bytes_;
};

std::unique_ptr<SequentialFileReader> FileOf(const Slice& bytes) {
  return std::make_unique<SequentialFileReader>(
      std::make_unique<StringSequentialFile>(bytes), "000007.log");
}

constexpr uint64_t kLogNumber = 7;

// Until the end, behind damage too.
void ReadToEnd(wal::Reader* reader, size_t bytes) {
  Slice record;
  uint64_t last = 0;
  const size_t calls_max = bytes + 16;
  for (size_t calls = 0;; ++calls) {
    Require(calls < calls_max, "a log of more records than bytes");
    const wal::ReadResult result = reader->ReadRecord(&record);
    if (result == wal::ReadResult::kEnd) break;
    if (result == wal::ReadResult::kDamaged) {
      (void)reader->problem().ToStatus("000007.log").ToString();
      continue;
    }
    Require(reader->last_record_offset() >= last, "records go back");
    last = reader->last_record_offset();
    Require(reader->last_record_end() <= bytes, "a record behind the file");
  }
  (void)reader->problem().ToStatus("000007.log").ToString();
  Require(reader->end_of_good() <= bytes, "good behind the end");
}

void RunWal(const std::string& input) {
  Slice rest = input;
  const uint8_t how = TakeByte(&rest);
  {
    wal::Reader reader(FileOf(rest), kLogNumber, how % 2 == 0);
    ReadToEnd(&reader, rest.size());
  }
  if (how % 4 < 2) return;  // As a follower: first a part of it.
  wal::Reader reader(FileOf(Slice(rest.data(), rest.size() / 2)), kLogNumber);
  ReadToEnd(&reader, rest.size() / 2);
  if (reader.ReadOn(FileOf(rest)).ok()) ReadToEnd(&reader, rest.size());
}

struct LogKind {
  bool recycle = false;
  bool compressed = false;
  bool chained = false;
  bool timestamps = false;
};

std::string MakeLog(const LogKind& kind) {
  std::string bytes;
  wal::Writer writer(std::make_unique<WritableFileWriter>(
                         std::make_unique<StringWriteFile>(&bytes),
                         "000007.log", FileOptions()),
                     kLogNumber, kind.recycle);
  if (kind.compressed) (void)writer.StartCompression();
  if (kind.chained) (void)writer.AddPredecessor({6, 1000, 17});
  if (kind.timestamps) (void)writer.AddTimestampSizes({{0, 8}, {3, 16}});
  for (const size_t size : {10, 0, 300, 7}) {
    std::string record(size, 'r');
    (void)writer.AddRecord(record);
  }
  (void)writer.Flush();
  return bytes;
}

std::vector<std::string> WalSeeds() {
  std::vector<std::string> seeds;
  for (int how = 0; how < 16; ++how) {
    const std::string log = MakeLog(
        {(how & 1) != 0, (how & 2) != 0, (how & 4) != 0, (how & 8) != 0});
    seeds.push_back(std::string(1, static_cast<char>(how * 2 % 4)) + log);
  }
  // Fragments over three blocks, and a recycled file's former life.
  std::string bytes;
  wal::Writer writer(std::make_unique<WritableFileWriter>(
                         std::make_unique<StringWriteFile>(&bytes),
                         "000007.log", FileOptions()),
                     kLogNumber, true);
  (void)writer.AddRecord(std::string(70000, 'l'));
  (void)writer.Flush();
  seeds.push_back(std::string(1, '\2') + bytes);
  std::string recycled = MakeLog({.recycle = true});
  const std::string former = MakeLog({.recycle = true, .chained = true});
  recycled += former.substr(recycled.size() / 2);
  seeds.push_back(std::string(1, '\2') + recycled);
  for (const std::string& log : GoldenSeeds(".log", 12, 8000)) {
    seeds.push_back(std::string(1, '\2') + log);
  }
  return seeds;
}

bool IsRecyclable(uint8_t type) {
  return (type >= 5 && type <= 8) || type == 11 || type == 131;
}

// The checksums of all records whose lengths stay within their blocks.
void SealFrames(std::string* log, size_t begin) {
  for (size_t at = begin; at + wal::kLegacyHeaderSize <= log->size();) {
    const size_t block_left = wal::kBlockSize - (at - begin) % wal::kBlockSize;
    if (block_left < wal::kLegacyHeaderSize) {
      at += block_left;
      continue;
    }
    char* const header = log->data() + at;
    const size_t length = DecodeFixed16(header + 4);
    const size_t header_size = IsRecyclable(static_cast<uint8_t>(header[6]))
                                   ? wal::kRecyclableHeaderSize
                                   : wal::kLegacyHeaderSize;
    if (header_size + length > std::min(block_left, log->size() - at)) return;
    const uint32_t crc = crc32c::Value(header + 6, header_size - 6 + length);
    EncodeFixed32(header, crc32c::Mask(crc));
    at += header_size + length;
  }
}

void SealWal(std::string* input) { SealFrames(input, 1); }
void SealManifest(std::string* input) { SealFrames(input, 0); }

// One physical record changes type, length, or payload; those behind it move.
void MutateFrames(Random64* random, std::string* log, size_t begin) {
  std::vector<size_t> records;
  for (size_t at = begin; at + wal::kLegacyHeaderSize <= log->size();) {
    records.push_back(at);
    const bool recyclable = IsRecyclable(static_cast<uint8_t>((*log)[at + 6]));
    at += DecodeFixed16(log->data() + at + 4) +
          (recyclable ? wal::kRecyclableHeaderSize : wal::kLegacyHeaderSize);
  }
  if (records.empty()) return MutateBytes(random, log);
  const size_t at = records[random->Uniform(records.size())];
  const size_t header = IsRecyclable(static_cast<uint8_t>((*log)[at + 6]))
                            ? wal::kRecyclableHeaderSize
                            : wal::kLegacyHeaderSize;
  const size_t length = DecodeFixed16(log->data() + at + 4);
  switch (random->Uniform(5)) {
    case 0: {
      static constexpr uint8_t kTypes[] = {
          0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 127, 128, 130, 131, 255};
      (*log)[at + 6] =
          static_cast<char>(kTypes[random->Uniform(std::size(kTypes))]);
      return;
    }
    case 1:  // Twice.
      return (void)log->insert(at, log->substr(at, header + length));
    case 2:
      return (void)log->erase(at, header + length);
    default: {
      if (at + header + length > log->size()) return;
      std::string payload = log->substr(at + header, length);
      MutateBytes(random, &payload);
      payload.resize(std::min<size_t>(payload.size(), 0xffff));
      log->replace(at + header, length, payload);
      EncodeFixed16(log->data() + at + 4,
                    static_cast<uint16_t>(payload.size()));
    }
  }
}

void MutateWal(Random64* random, std::string* input) {
  if (input->empty()) return;
  MutateFrames(random, input, 1);
}
void MutateManifest(Random64* random, std::string* input) {
  MutateFrames(random, input, 0);
}

// ---- MANIFESTs.

MemFileSystem* Files() {
  static MemFileSystem* const fs = [] {
    MemFileSystem::Options options;
    options.remember_unsynced = false;
    return new MemFileSystem(options);
  }();
  return fs;
}

void RunManifest(const std::string& input) {
  const std::string name = "/MANIFEST-000005";
  Require(WriteStringToFile(Files(), input, name, false).ok(), "no memory");
  size_t edits = 0;
  const auto state = ReadManifestFile(
      Files(), name, [&](const VersionEdit& edit, const Slice&) {
        ++edits;
        (void)edit.DebugJson(1, true);
      });
  Require(edits <= input.size(), "more edits than bytes");
  if (!state.ok()) return;
  for (const auto& [id, family] : state->families) {
    Require(id == family.id, "a family under another id");
    Require(family.max_level() < static_cast<int>(kLevelsMax), "levels");
  }
}

std::vector<std::string> ManifestSeeds() {
  std::string bytes;
  wal::Writer writer(std::make_unique<WritableFileWriter>(
                         std::make_unique<StringWriteFile>(&bytes),
                         "MANIFEST-000005", FileOptions()),
                     0, false);
  const auto add = [&](const VersionEdit& edit) {
    std::string record;
    edit.EncodeTo(&record);
    (void)writer.AddRecord(record);
  };
  VersionEdit first;
  first.db_id = "an identity";
  first.comparator_name = "leveldb.BytewiseComparator";
  first.log_number = 4;
  first.next_file_number = 30;
  first.last_sequence = 100;
  add(first);
  VersionEdit family;
  family.column_family = 1;
  family.added_family = "family";
  family.comparator_name = "leveldb.BytewiseComparator";
  family.max_column_family = 1;
  add(family);
  for (uint64_t number = 10; number < 14; ++number) {
    VersionEdit edit;
    edit.column_family = number % 2;
    edit.atomic_group_remaining = static_cast<uint32_t>(13 - number);
    auto file = std::make_shared<FileMetaData>();
    file->number = number;
    file->size = 1000;
    file->smallest = InternalKey("a", number, ValueType::kValue);
    file->largest = InternalKey("z", number, ValueType::kValue);
    edit.AddFile(static_cast<int>(number % 3), file);
    if (number > 11)
      edit.DeleteFile(static_cast<int>((number - 2) % 3), number - 2);
    add(edit);
  }
  (void)writer.Flush();
  std::vector<std::string> seeds = {bytes};
  for (std::string& manifest : GoldenSeeds("MANIFEST-", 20, 8000)) {
    seeds.push_back(std::move(manifest));
  }
  return seeds;
}

}  // namespace

void AddLogTargets(std::vector<Target>* targets) {
  targets->push_back({.name = "wal",
                      .weight = 100,
                      .memory_per_byte = 32768,
                      .run = RunWal,
                      .seeds = WalSeeds,
                      .mutate = MutateWal,
                      .seal = SealWal});
  targets->push_back({.name = "manifest",
                      .weight = 60,
                      .run = RunManifest,
                      .seeds = ManifestSeeds,
                      .mutate = MutateManifest,
                      .seal = SealManifest});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
