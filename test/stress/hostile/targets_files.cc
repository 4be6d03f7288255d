// Blob files, and a whole small database of which one file is damaged.

#include <map>

#include "env/mem/mem_file_system.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/table.h"
#include "table/blob/blob_file_reader.h"
#include "table/blob/blob_file_writer.h"
#include "test/stress/hostile/mutator.h"
#include "test/stress/hostile/target.h"
#include "test/table/table_fixture.h"
#include "util/compression/compression.h"
#include "util/crc32c.h"

namespace ROCKSDB_NAMESPACE::hostile {

namespace {

using namespace engine;  // NOLINT

constexpr uint32_t kFamily = 3;
// bzip2's (docs/limits.md), whose number a damaged byte may become.
constexpr size_t kExpansionMax = 2000000;

// Calls visit(offset of the record) as far as records can be found.
template <typename Visit>
void ForEachBlobRecord(const std::string& file, Visit visit) {
  for (uint64_t at = kBlobHeaderSize;
       at + kBlobRecordHeaderSize <= file.size();) {
    const uint64_t key_size = DecodeFixed64(file.data() + at);
    const uint64_t value_size = DecodeFixed64(file.data() + at + 8);
    visit(at, key_size, value_size);
    if (key_size > file.size() || value_size > file.size()) return;
    at += BlobRecordBytes(key_size, value_size);
  }
}

void RunBlob(const std::string& input) {
  const auto reader = BlobFileReader::Open(
      std::make_unique<RandomAccessFileReader>(
          std::make_unique<StringReadFile>(input), "000007.blob"),
      input.size(), kFamily);
  if (!reader.ok()) return;
  ForEachBlobRecord(input, [&](uint64_t at, uint64_t key, uint64_t value) {
    for (const uint64_t size : {value, value + 1, value - 1, ~uint64_t{0}}) {
      BlobIndex index;
      index.file_number = 7;
      index.offset = at + kBlobRecordHeaderSize + key;
      index.size = size;
      index.compression = (*reader)->compression();
      BlobReadRequest request;
      const auto checked = (*reader)->Read(request, "k0", index, nullptr);
      request.verify_checksums = false;
      (void)(*reader)->Read(request, "k0", index, nullptr);
      if (checked.ok()) (void)checked->slice();
    }
  });
}

std::vector<std::string> BlobSeeds() {
  std::vector<std::string> seeds;
  for (const CompressionType type : SupportedCompressionTypes()) {
    std::string bytes;
    BlobWriteOptions options;
    options.file_number = 7;
    options.family_id = kFamily;
    options.compression = type;
    BlobFileWriter writer(
        options, std::make_unique<WritableFileWriter>(
                     std::make_unique<StringWriteFile>(&bytes), "000007.blob",
                     FileOptions()));
    (void)writer.WriteHeader();
    for (int i = 0; i < 3; ++i) {
      (void)writer.Add("k0", std::string(30, static_cast<char>('a' + i)));
    }
    (void)writer.Finish(false);
    seeds.push_back(bytes);
  }
  return seeds;
}

void SetCrc(std::string* file, size_t begin, size_t size, size_t at) {
  EncodeFixed32(file->data() + at,
                crc32c::Mask(crc32c::Value(file->data() + begin, size)));
}

void SealBlob(std::string* file) {
  if (file->size() < kBlobHeaderSize + kBlobFooterSize) return;
  SetCrc(file, 0, kBlobHeaderSize - 4, kBlobHeaderSize - 4);
  const size_t footer = file->size() - kBlobFooterSize;
  SetCrc(file, footer, kBlobFooterSize - 4, file->size() - 4);
  ForEachBlobRecord(*file, [&](uint64_t at, uint64_t key, uint64_t value) {
    const uint64_t rest = footer - std::min<uint64_t>(at, footer);
    if (rest < kBlobRecordHeaderSize || key > rest || value > rest ||
        BlobRecordBytes(key, value) > rest) {
      return;
    }
    SetCrc(file, at + kBlobRecordHeaderSize, key + value, at + 28);
    SetCrc(file, at, 24, at + 24);
  });
}

// ---- A database.

const std::string kPath = "/db";

struct Database {
  std::shared_ptr<MemFileSystem> fs;
  std::unique_ptr<Env> env;
  Options options;
  std::vector<std::string> names;  // Of what is worth damaging.
  std::map<std::string, std::string> good;
};

Options DatabaseOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.disable_auto_compactions = true;
  options.avoid_flush_during_shutdown = true;
  options.compression = kNoCompression;
  options.write_buffer_size = 64 << 10;
  options.arena_block_size = 4096;
  options.allow_2pc = true;
  options.min_blob_size = 25;
  options.info_log_level = HEADER_LEVEL;
  (void)MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                        &options.merge_operator);
  BlockBasedTableOptions table;
  table.block_size = 128;
  table.filter_policy.reset(NewBloomFilterPolicy(10));
  table.no_block_cache = true;
  options.table_factory.reset(NewBlockBasedTableFactory(table));
  return options;
}

void Fill(DB* db, int round) {
  const std::string r = std::to_string(round);
  for (int i = 0; i < 6; ++i) {
    (void)db->Put(WriteOptions(), "key" + std::to_string(i + 4 * round),
                  std::string(static_cast<size_t>(10 * i), 'v') + r);
  }
  (void)db->Delete(WriteOptions(), "key" + r);
  (void)db->Merge(WriteOptions(), "key2", "m" + r);
  (void)db->DeleteRange(WriteOptions(), "key3", "key5");
  (void)db->PutEntity(WriteOptions(), db->DefaultColumnFamily(), "entity" + r,
                      {{"", "d"}, {"column", r}});
}

std::unique_ptr<Database> MakeDatabase() {
  auto made = std::make_unique<Database>();
  MemFileSystem::Options fs_options;
  fs_options.remember_unsynced = false;
  made->fs = std::make_shared<MemFileSystem>(fs_options);
  made->env = NewCompositeEnv(made->fs);
  made->options = DatabaseOptions(made->env.get());
  for (int round = 0; round < 3; ++round) {
    made->options.enable_blob_files = round == 1;
    std::unique_ptr<DB> db;
    Require(DB::Open(made->options, kPath, &db).ok(), "no database");
    Fill(db.get(), round);
    if (round < 2) (void)db->Flush(FlushOptions());
    (void)db->Close();
  }
  made->fs->ForEachFile([&](const std::string& path, const std::string& file) {
    if (path.rfind(kPath, 0) != 0 || file.empty()) return;
    if (path.find("/LOG") != std::string::npos) return;
    made->names.push_back(path);
    made->good[path] = file;
  });
  return made;
}

Database* TheDatabase() {
  static Database* const database = MakeDatabase().release();
  return database;
}

void ReadDatabase(DB* db) {
  const std::unique_ptr<Iterator> it(db->NewIterator(ReadOptions()));
  size_t steps = 0;
  for (it->SeekToFirst(); it->Valid() && ++steps < 100000; it->Next()) {
    (void)it->columns();
  }
  (void)it->status();
  for (it->SeekToLast(); it->Valid() && ++steps < 100000; it->Prev()) {
  }
  for (const char* key : {"", "key2", "key5", "entity1", "zzz"}) {
    std::string value;
    (void)db->Get(ReadOptions(), key, &value);
    PinnableWideColumns columns;
    (void)db->GetEntity(ReadOptions(), db->DefaultColumnFamily(), key,
                        &columns);
  }
}

// Input: which file, how it is opened, what the file holds.
void RunDatabase(const std::string& input) {
  Slice rest = input;
  const size_t which = TakeByte(&rest);
  const uint8_t how = TakeByte(&rest);
  Database* const database = TheDatabase();
  const std::string& path = database->names[which % database->names.size()];
  (void)WriteStringToFile(database->fs.get(), rest, path, false);
  Options options = database->options;
  options.wal_recovery_mode = static_cast<WALRecoveryMode>(how % 4);
  options.paranoid_checks = (how & 4) == 0;
  std::unique_ptr<DB> db;
  const Status status = DB::OpenForReadOnly(options, kPath, &db);
  if (status.ok()) ReadDatabase(db.get());
  db.reset();
  (void)WriteStringToFile(database->fs.get(), database->good[path], path,
                          false);
}

std::vector<std::string> DatabaseSeeds() {
  std::vector<std::string> seeds;
  const Database* const database = TheDatabase();
  for (size_t i = 0; i < database->names.size(); ++i) {
    const std::string& path = database->names[i];
    for (const char how : {'\2', '\0', '\3'}) {
      if (how != '\2' && path.find(".log") == std::string::npos) continue;
      seeds.push_back(std::string(1, static_cast<char>(i)) +
                      std::string(1, how) + database->good.at(path));
    }
  }
  return seeds;
}

}  // namespace

void AddFileTargets(std::vector<Target>* targets) {
  targets->push_back({.name = "blob",
                      .weight = 60,
                      .memory_base = size_t{4} << 20,
                      .memory_per_byte = kExpansionMax,
                      .run = RunBlob,
                      .seeds = BlobSeeds,
                      .seal = SealBlob});
  targets->push_back({.name = "database",
                      .weight = 12,
                      .memory_base = size_t{16} << 20,
                      .memory_per_byte = kExpansionMax,
                      .run = RunDatabase,
                      .seeds = DatabaseSeeds});
}

}  // namespace ROCKSDB_NAMESPACE::hostile
