// The two strings that a compaction service carries: their bytes, and that no
// other bytes are taken for them.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "db/remote_compaction/compaction_input.h"
#include "db/remote_compaction/compaction_result.h"
#include "table/internal_key.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

RemoteInput SomeInput() {
  RemoteInput input;
  input.db_name = "/db";
  input.db_id = "id";
  input.db_session_id = "S";
  input.job_id = 7;
  input.family_id = 2;
  input.family_name = "cf";
  input.dirs = {"/db", "/more"};
  input.manifest_number = 5;
  input.manifest_bytes = 300;
  input.reason = CompactionReason::kManualCompaction;
  input.levels = {{0, {12, 11}}, {1, {}}};
  input.output_level = 1;
  input.base_level = 1;
  input.output_file_size_max = 1000;
  input.overlap_bytes_max = 2000;
  input.max_subcompactions = 3;
  input.compression = kLZ4Compression;
  input.bottommost = true;
  input.is_manual = true;
  input.collect_blobs_below = 9;
  input.smallest_user_key = "a";
  input.largest_user_key = "z";
  input.snapshots = {4, 5};
  input.full_history_ts_low = "t";
  input.trim_after = "";
  input.first_blob_number = 20;
  input.blob_numbers = 10;
  return input;
}

RemoteResult SomeResult() {
  RemoteResult result = RemoteResult::To(SomeInput());
  result.output_directory = "/out";
  result.edit.column_family = 2;
  result.edit.DeleteFile(0, 12);
  result.edit.DeleteFile(0, 11);
  auto file = std::make_shared<FileMetaData>();
  file->number = 30;
  file->size = 500;
  file->smallest = InternalKey("a", 3, ValueType::kValue);
  file->largest = InternalKey("c", 0, ValueType::kValue);
  file->largest_sequence = 3;
  file->epoch = 1;
  file->holds_old_versions = true;
  result.edit.AddFile(1, file);
  result.edit.blob_additions.push_back({21, 2, 80, "", ""});
  result.edit.blob_garbage.push_back({8, 1, 40});
  result.stats.iterator.input_records = 6;
  result.stats.iterator.dropped_hidden = 1;
  result.stats.output_records = 5;
  result.stats.blob_files_written = 1;
  return result;
}

std::string HexOfFields(const std::string& bytes) {
  // Without magic word, version, length and checksum.
  return Slice(bytes.data() + 20, bytes.size() - 24).ToString(/*hex=*/true);
}

TEST(RemoteStrings, AnInputHasTheseBytes) {
  const std::string bytes = SomeInput().Encode();
  EXPECT_EQ("RVSTCINP", bytes.substr(0, 8));
  EXPECT_EQ("01000000",
            Slice(bytes.data() + 8, 4).ToString(/*hex=*/true));  // Version.
  EXPECT_EQ(bytes.size() - 24,
            size_t{static_cast<unsigned char>(bytes[12])});  // Length.
  EXPECT_EQ(
      "032F6462"      // "/db"
      "026964"        // "id"
      "0153"          // "S"
      "07"            // Job.
      "02026366"      // Family 2, "cf".
      "02"            // Two directories:
      "032F6462"      // "/db"
      "052F6D6F7265"  // "/more"
      "05AC02"        // MANIFEST-000005, 300 bytes.
      "09"            // kManualCompaction.
      "02"            // Two levels:
      "00020C0B"      // level 0: 12 and 11
      "0100"          // level 1: none
      "0101"          // Output level, base level.
      "E807D00F"      // 1000 and 2000 bytes.
      "03"            // Subcompactions.
      "0104"          // LZ4.
      "0101"          // Bottommost, manual.
      "09"            // Blobs to be collected.
      "0161017A"      // "a" and "z".
      "020405"        // Two snapshots.
      "017400"        // Times.
      "140A",         // Numbers of blob files.
      HexOfFields(bytes));
}

TEST(RemoteStrings, AnInputIsReadAsItWasWritten) {
  RemoteInput read;
  const Status status = read.DecodeFrom(SomeInput().Encode());
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(SomeInput(), read);
  RemoteInput plain = SomeInput();
  plain.compression.reset();
  ASSERT_TRUE(read.DecodeFrom(plain.Encode()).ok());
  EXPECT_EQ(plain, read);
}

TEST(RemoteStrings, AResultIsReadAsItWasWritten) {
  const std::string bytes = SomeResult().Encode();
  RemoteResult read;
  const Status status = read.DecodeFrom(bytes);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(bytes, read.Encode());
  EXPECT_EQ("/out", read.output_directory);
  ASSERT_EQ(1u, read.edit.new_files.size());
  EXPECT_TRUE(read.edit.new_files[0].file->holds_old_versions);
  EXPECT_EQ(5u, read.stats.output_records);
  EXPECT_TRUE(read.CheckAnswers(SomeInput()).ok());
}

TEST(RemoteStrings, AFailureKeepsItsStatus) {
  RemoteResult failed = RemoteResult::To(SomeInput());
  failed.status = Status::NoSpace("no room");
  RemoteResult read;
  ASSERT_TRUE(read.DecodeFrom(failed.Encode()).ok());
  EXPECT_TRUE(read.status.IsNoSpace());
  EXPECT_EQ(failed.status.ToString(), read.status.ToString());
}

template <typename String>
void ExpectNothingElseIsTaken(const std::string& bytes) {
  String read;
  for (size_t length = 0; length < bytes.size(); ++length) {
    const Status status = read.DecodeFrom(Slice(bytes.data(), length));
    EXPECT_TRUE(status.IsCorruption()) << length << ": " << status.ToString();
  }
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(read.DecodeFrom(changed).ok()) << i;
  }
  EXPECT_TRUE(read.DecodeFrom(bytes + "x").IsCorruption());
  EXPECT_TRUE(read.DecodeFrom(std::string(5000, 'x')).IsCorruption());
}

TEST(RemoteStrings, DamagedInputsAreRefused) {
  ExpectNothingElseIsTaken<RemoteInput>(SomeInput().Encode());
  RemoteInput input;
  const Status status = input.DecodeFrom(SomeResult().Encode());
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(std::string::npos, status.ToString().find("RVSTCINP"))
      << status.ToString();
}

TEST(RemoteStrings, DamagedResultsAreRefused) {
  ExpectNothingElseIsTaken<RemoteResult>(SomeResult().Encode());
}

TEST(RemoteStrings, AnotherVersionIsNotSupported) {
  std::string bytes = SomeInput().Encode();
  bytes[8] = 2;
  RemoteInput input;
  const Status status = input.DecodeFrom(bytes);
  EXPECT_TRUE(status.IsNotSupported());
  EXPECT_NE(std::string::npos,
            status.ToString().find("expected version 1: found 2"))
      << status.ToString();
}

TEST(RemoteStrings, InputsWithoutMeaningAreRefused) {
  const auto refused = [](const RemoteInput& input) {
    RemoteInput read;
    return read.DecodeFrom(input.Encode()).IsCorruption();
  };
  RemoteInput input = SomeInput();
  input.levels[0].files.clear();
  EXPECT_TRUE(refused(input));
  input = SomeInput();
  input.snapshots = {5, 4};
  EXPECT_TRUE(refused(input));
  input = SomeInput();
  input.output_file_size_max = 0;
  EXPECT_TRUE(refused(input));
  input = SomeInput();
  input.output_level = 1000;
  EXPECT_TRUE(refused(input));
  input = SomeInput();
  input.first_blob_number = (uint64_t{1} << 62) - 2;
  EXPECT_TRUE(refused(input));
}

TEST(RemoteStrings, ResultsThatAnswerSomethingElseAreRefused) {
  const RemoteInput input = SomeInput();
  const auto refused = [&](const RemoteResult& result) {
    return result.CheckAnswers(input).IsCorruption();
  };
  EXPECT_FALSE(refused(SomeResult()));
  RemoteResult result = SomeResult();
  result.job_id = 8;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.db_session_id = "T";
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.column_family = 0;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.deleted_files.pop_back();
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.DeleteFile(1, 13);
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.DeleteFile(0, 12);  // Twice.
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.new_files[0].level = 2;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.AddFile(1, result.edit.new_files[0].file);
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.blob_additions[0].number = 30;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.log_number = 40;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.edit.drops_family = true;
  EXPECT_TRUE(refused(result));
  result = SomeResult();
  result.stats.output_records = 7;
  EXPECT_TRUE(refused(result));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
