// MANIFEST records: bytes of every field, damage, and the databases of
// genuine RocksDB re-encoded to the same bytes.

#include "db/manifest/version_edit.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "db/manifest/manifest_state.h"
#include "rocksdb/file_system.h"
#include "test/support/golden.h"
#include "util/coding.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

std::string Hex(const VersionEdit& edit) {
  std::string bytes;
  edit.EncodeTo(&bytes);
  return Slice(bytes).ToString(/*hex=*/true);
}

std::string FromHex(const std::string& hex) {
  std::string bytes;
  EXPECT_TRUE(Slice(hex).DecodeHex(&bytes)) << hex;
  return bytes;
}

FilePtr SmallFile() {
  FileFacts f;
  f.number = 9;
  f.size = 300;
  f.smallest = InternalKey("a", 1, ValueType::kValue);
  f.largest = InternalKey("b", 2, ValueType::kDeletion);
  f.smallest_sequence = 1;
  f.largest_sequence = 2;
  return std::make_shared<FileMetaData>(std::move(f));
}

// The file entry of SmallFile up to its custom fields.
const char* const kSmallFileHex =
    "67"  // tag 103
    "00"
    "09"
    "AC02"  // level, number, size
    "09"
    "610101000000000000"
    "09"
    "620002000000000000"
    "01"
    "02"  // sequences
    "050100"
    "060100";  // times, always there

TEST(VersionEdit, EveryFieldHasTheDocumentedBytes) {
  VersionEdit e;
  e.db_id = "id";
  EXPECT_EQ(Hex(e),
            "8140"
            "026964");
  e = VersionEdit();
  e.comparator_name = "cmp";
  EXPECT_EQ(Hex(e),
            "01"
            "03636D70");
  e = VersionEdit();
  e.log_number = 300;
  e.prev_log_number = 0;
  e.next_file_number = 7;
  e.last_sequence = 128;
  e.min_log_number_to_keep = 5;
  e.max_column_family = 2;
  // In the peers' order: 2, 9, 3, 203, 10, 4.
  EXPECT_EQ(Hex(e),
            "02AC02"
            "0900"
            "0307"
            "CB0102"
            "0A05"
            "048001");
  e = VersionEdit();
  e.compact_cursors.push_back({2, InternalKey("k", 1, ValueType::kValue)});
  e.DeleteFile(1, 300);
  EXPECT_EQ(Hex(e),
            "0502"
            "096B0101000000000000"
            "0601AC02");
  e = VersionEdit();
  e.column_family = 3;
  e.added_family = "cf";
  e.drops_family = true;
  e.atomic_group_remaining = 4;
  EXPECT_EQ(Hex(e),
            "C80103"
            "C901026366"
            "CA01"
            "AC0204");
  e = VersionEdit();
  e.blob_additions.push_back({5, 6, 7, "m", "v"});
  e.blob_garbage.push_back({5, 1, 2});
  EXPECT_EQ(Hex(e),
            "9003"
            "050607"
            "016D"
            "0176"
            "00"
            "9103"
            "050102"
            "00");
  e = VersionEdit();
  e.full_history_ts_low = "ts";
  e.persist_timestamps = false;
  e.manifest_rewritten_bytes = 300;
  e.batch_offset = 400;
  EXPECT_EQ(Hex(e),
            "8160"
            "029003"
            "8640"
            "027473"
            "8940"
            "0100"
            "8B40"
            "02AC02");
  e = VersionEdit();
  e.wal_additions.push_back({4, 300});
  e.wal_additions.push_back({5, std::nullopt});
  e.wals_deleted_below = 4;
  EXPECT_EQ(Hex(e),
            "8740"
            "05"
            "04"
            "02AC02"
            "01"
            "8740"
            "02"
            "0501"
            "8840"
            "0104");
}

TEST(VersionEdit, AFileEntryHasTheDocumentedBytes) {
  VersionEdit e;
  e.AddFile(0, SmallFile());
  EXPECT_EQ(Hex(e), std::string(kSmallFileHex) + "01");

  FilePtr f = SmallFile();
  f->epoch = 3;
  f->path_id = 2;
  f->temperature = Temperature::kCold;
  f->marked_for_compaction = true;
  f->oldest_blob_file = 8;
  f->unique_id[0] = 1;
  f->unique_id[1] = 2;
  f->checksum = "\xde\xad";
  f->checksum_function = "C";
  f->range_deletion_bytes = 5;
  f->tail_bytes = 6;
  f->timestamps_persisted = false;
  f->min_timestamp = "m";
  f->max_timestamp = "n";
  f->open_metadata = "o";
  e = VersionEdit();
  e.min_log_number_to_keep = 4;
  e.AddFile(0, f);
  EXPECT_EQ(Hex(e),
            "0A04" + std::string(kSmallFileHex) +
                "0D0103"  // epoch
                "0702DEAD"
                "080143"  // checksum
                "410102"
                "09010C"
                "020101"                // path, temperature, need
                "03080400000000000000"  // min log number
                "040108"                // blob file
                "0C1001000000000000000200000000000000"
                "0E0105"
                "0F0106"
                "100100"
                "0A016D"
                "0B016E"
                "11016F"
                "01");

  VersionEdit decoded;
  std::string bytes;
  e.EncodeTo(&bytes);
  ASSERT_TRUE(decoded.DecodeFrom(bytes).ok());
  EXPECT_TRUE(*decoded.new_files[0].file == *f);
}

TEST(VersionEdit, OlderFileFormsAreRead) {
  VersionEdit e;
  const std::string keys =
      "09610101000000000000"
      "09620002000000000000";
  ASSERT_TRUE(e.DecodeFrom(FromHex("07"
                                   "01"
                                   "09"
                                   "AC02" +
                                   keys))
                  .ok());
  EXPECT_EQ(e.new_files[0].level, 1);
  EXPECT_EQ(e.new_files[0].file->size, 300u);
  ASSERT_TRUE(e.DecodeFrom(FromHex("64"
                                   "01"
                                   "09"
                                   "AC02" +
                                   keys + "0102"))
                  .ok());
  EXPECT_EQ(e.new_files[0].file->largest_sequence, 2u);
  ASSERT_TRUE(e.DecodeFrom(FromHex("66"
                                   "01"
                                   "09"
                                   "03"
                                   "AC02" +
                                   keys + "0102"))
                  .ok());
  EXPECT_EQ(e.new_files[0].file->path_id, 3u);
  // Logs without the outer length, and the former blob tags.
  ASSERT_TRUE(e.DecodeFrom(FromHex("8440"
                                   "0402AC0201"
                                   "8540"
                                   "03"))
                  .ok());
  EXPECT_EQ(e.wal_additions[0].synced_bytes, 300u);
  EXPECT_EQ(e.wals_deleted_below, 3u);
  ASSERT_TRUE(e.DecodeFrom(FromHex("8240"
                                   "0506070000"
                                   "00"))
                  .ok());
  EXPECT_EQ(e.blob_additions[0].blob_count, 6u);
}

TEST(VersionEdit, UnknownTagsAreSkippedOnlyWhereThatIsSafe) {
  VersionEdit e;
  // 8202 and a tag of the future, then a known one.
  ASSERT_TRUE(e.DecodeFrom(FromHex("8A40"
                                   "026162"
                                   "FF7F"
                                   "0178"
                                   "0307"))
                  .ok());
  EXPECT_EQ(e.next_file_number, 7u);
  const Status status =
      e.DecodeFrom(FromHex("0307"
                           "0B"
                           "00"));
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_EQ(status.ToString(),
            "Corruption: VersionEdit: tag 11 at byte 3 of 4: expected a known "
            "tag");
  // Custom field 60 may be skipped, 66 must be known.
  const std::string file = kSmallFileHex;
  EXPECT_TRUE(e.DecodeFrom(FromHex(file + "3C0178"
                                          "01"))
                  .ok());
  EXPECT_FALSE(e.DecodeFrom(FromHex(file + "420178"
                                           "01"))
                   .ok());
  EXPECT_FALSE(e.DecodeFrom(FromHex("9103"
                                    "050102"
                                    "400178"
                                    "00"))
                   .ok());
}

TEST(VersionEdit, WhatCannotBeMeantIsCorruption) {
  const std::string keys =
      "09610101000000000000"
      "09620002000000000000";
  for (const std::string& hex : {
           "07"
           "8002"
           "09"
           "AC02" +
               keys,  // level 256
           "66"
           "01"
           "09"
           "04"
           "AC02" +
               keys + "0102",  // path 4
           std::string("07"
                       "01"
                       "09"
                       "AC02"
                       "0361"
                       "6162"),  // short key
           // A key of type 0x0A, which only batches hold.
           std::string("07"
                       "01"
                       "09"
                       "AC02"
                       "09"
                       "610A01000000000000"
                       "09"
                       "620002000000000000"),
           std::string("8640"
                       "00"),  // empty timestamp
           std::string("0C"),
           std::string("02"),
           std::string("FFFFFFFFFF"),
       }) {
    VersionEdit e;
    EXPECT_TRUE(e.DecodeFrom(FromHex(hex)).IsCorruption()) << hex;
  }
}

TEST(VersionEdit, EveryTruncationIsCorruptionOrAWholeEdit) {
  VersionEdit e;
  e.db_id = "id";
  e.comparator_name = "cmp";
  e.log_number = 300;
  e.AddFile(0, SmallFile());
  e.blob_additions.push_back({5, 6, 7, "m", "v"});
  e.wal_additions.push_back({4, 300});
  e.added_family = "cf";
  std::string bytes;
  e.EncodeTo(&bytes);
  size_t whole = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    VersionEdit cut;
    const Status status = cut.DecodeFrom(Slice(bytes.data(), size));
    EXPECT_TRUE(status.ok() || status.IsCorruption());
    whole += status.ok() ? 1 : 0;
  }
  // Only between the seven fields.
  EXPECT_EQ(whole, 7u);
}

TEST(VersionEdit, RandomDamageNeverBreaksTheDecoder) {
  VersionEdit e;
  e.comparator_name = "cmp";
  e.AddFile(0, SmallFile());
  e.AddFile(1, SmallFile());
  e.blob_additions.push_back({5, 6, 7, "m", "v"});
  e.wal_additions.push_back({4, 300});
  std::string bytes;
  e.EncodeTo(&bytes);
  Random64 random(17);
  for (int round = 0; round < 20000; ++round) {
    std::string damaged = bytes;
    for (uint64_t i = 0; i <= random.Uniform(4); ++i) {
      damaged[random.Uniform(damaged.size())] =
          static_cast<char>(random.Next32());
    }
    VersionEdit decoded;
    const Status status = decoded.DecodeFrom(damaged);
    ASSERT_TRUE(status.ok() || status.IsCorruption()) << status.ToString();
  }
}

// version_edit.h (1).
TEST(VersionEdit, EveryManifestOfRocksDBIsEncodedToTheSameBytes) {
  const auto manifests = test::GoldenFiles([](const std::filesystem::path& p) {
    return p.filename().string().starts_with("MANIFEST-");
  });
  RIVERSTONE_SKIP_WITHOUT(manifests);
  const std::shared_ptr<FileSystem> fs = FileSystem::Default();
  uint64_t edits = 0;
  for (const auto& path : manifests) {
    const Result<ManifestState> state = ReadManifestFile(
        fs.get(), path.string(),
        [&](const VersionEdit& edit, const Slice& record) {
          std::string again;
          edit.EncodeTo(&again);
          EXPECT_EQ(Slice(again).ToString(true), record.ToString(true))
              << path << "\n"
              << edit.DebugString(true);
          ++edits;
        });
    EXPECT_TRUE(state.ok()) << path << ": " << state.status().ToString();
  }
  EXPECT_GT(edits, 500u);
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
