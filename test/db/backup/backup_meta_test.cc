// Names and descriptions in a backup directory, byte by byte.

#include "db/backup/backup_meta.h"

#include <gtest/gtest.h>

#include "db/backup/backup_layout.h"
#include "test/support/golden.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(BackupLayout, SpellsNamesAsRocksDbDoes) {
  EXPECT_EQ(MetaPath(7), "meta/7");
  EXPECT_EQ(MetaStagingPath(7), "meta/.7.tmp");
  EXPECT_EQ(PrivateFolder(7), "private/7");
  EXPECT_EQ(StagingPath("shared/000009.sst"), "shared/.000009.sst.tmp");
  EXPECT_TRUE(IsStagingName(".7.tmp"));
  EXPECT_FALSE(IsStagingName("7.tmp"));
  EXPECT_FALSE(IsStagingName(".tmp"));
  EXPECT_EQ(SessionPath("000009.sst", "99FUY2", 2448),
            "shared_checksum/000009_s99FUY2_2448.sst");
  EXPECT_EQ(SessionPath("000009.sst", "99FUY2", std::nullopt),
            "shared_checksum/000009_s99FUY2.sst");
  EXPECT_EQ(ChecksumPath("000010.blob", 1899363928, 2655),
            "shared_checksum/000010_1899363928_2655.blob");
}

TEST(BackupLayout, FindsTheNameInTheDatabaseAgain) {
  EXPECT_EQ(OriginalName("shared_checksum/000009_s99FUY2_2448.sst"),
            "000009.sst");
  EXPECT_EQ(OriginalName("shared_checksum/000009_s99FUY2.sst"), "000009.sst");
  EXPECT_EQ(OriginalName("shared_checksum/000010_18_26.blob"), "000010.blob");
  EXPECT_EQ(OriginalName("shared/000009.sst"), "000009.sst");
  EXPECT_EQ(OriginalName("private/1/OPTIONS-000007"), "OPTIONS-000007");
  EXPECT_EQ(SessionOf("shared_checksum/000009_s99FUY2_2448.sst"), "99FUY2");
  EXPECT_EQ(SessionOf("shared_checksum/000009_s99FUY2.sst"), "99FUY2");
  EXPECT_EQ(SessionOf("shared_checksum/000010_18_26.blob"), "");
  EXPECT_EQ(SessionOf("private/1/000009.sst"), "");
}

TEST(BackupLayout, KnowsOnlyItsOwnNumbersAndPaths) {
  EXPECT_EQ(ParseBackupId("7"), 7u);
  EXPECT_EQ(ParseBackupId("4294967295"), 4294967295u);
  for (const char* name :
       {"", "0", "07", "-7", "7x", "x", "4294967296", ".7"}) {
    EXPECT_EQ(ParseBackupId(name), std::nullopt) << name;
  }
  EXPECT_TRUE(IsPathOfBackup("private/7/CURRENT", 7));
  EXPECT_TRUE(IsPathOfBackup("shared/000009.sst", 7));
  EXPECT_TRUE(IsPathOfBackup("shared_checksum/000009_s1_2.sst", 7));
  for (const char* path :
       {"private/8/CURRENT", "/etc/passwd", "private/7/../../../etc/passwd",
        "private/7/..", "private/7/", "private/7", "meta/7", "CURRENT", "",
        "private/7/.tmp", "private/7/a\tb", "shared//x", "private/7/sub/x"}) {
    EXPECT_FALSE(IsPathOfBackup(path, 7)) << path;
  }
}

BackupMeta MetaOfTwo() {
  BackupMeta meta;
  meta.timestamp = 1795170432;
  meta.sequence = 90;
  meta.app_metadata = "ab\x01";
  meta.files.resize(2);
  meta.files[0].path = "shared_checksum/000009_sX_5.sst";
  meta.files[0].size = 5;
  meta.files[0].crc32c = 77;
  meta.files[0].temperature = Temperature::kCold;
  meta.files[1].path = "private/1/CURRENT";
  meta.files[1].size = 16;
  meta.files[1].crc32c = 4294967295u;
  return meta;
}

constexpr char kVersion1[] =
    "1795170432\n"
    "90\n"
    "metadata 616201\n"
    "2\n"
    "shared_checksum/000009_sX_5.sst crc32 77\n"
    "private/1/CURRENT crc32 4294967295\n";
constexpr char kVersion2[] =
    "schema_version 2.0\n"
    "1795170432\n"
    "90\n"
    "metadata 616201\n"
    "2\n"
    "shared_checksum/000009_sX_5.sst crc32 77 size 5 temp kCold\n"
    "private/1/CURRENT crc32 4294967295 size 16\n";

TEST(BackupMeta, HasTheseBytes) {
  EXPECT_EQ(EncodeBackupMeta(MetaOfTwo(), 1), kVersion1);
  EXPECT_EQ(EncodeBackupMeta(MetaOfTwo(), 2), kVersion2);
  BackupMeta meta = MetaOfTwo();
  meta.files[0].excluded = true;
  meta.app_metadata.clear();
  EXPECT_EQ(EncodeBackupMeta(meta, 2),
            "schema_version 2.1\n1795170432\n90\n2\n"
            "shared_checksum/000009_sX_5.sst crc32 77 size 5 temp kCold "
            "ni::excluded true\n"
            "private/1/CURRENT crc32 4294967295 size 16\n");
}

TEST(BackupMeta, IsReadAsItWasWritten) {
  for (const int version : {1, 2}) {
    const std::string text = EncodeBackupMeta(MetaOfTwo(), version);
    const auto meta = DecodeBackupMeta(text, 1, "m");
    ASSERT_TRUE(meta.ok()) << meta.status().ToString();
    const BackupMeta& read = *meta;
    EXPECT_EQ(EncodeBackupMeta(read, version), text);
    EXPECT_EQ(read.app_metadata, "ab\x01");
    EXPECT_EQ(read.files[0].size.has_value(), version == 2);
    EXPECT_EQ(read.TotalBytes(), version == 2 ? 21u : 0u);
  }
}

TEST(BackupMeta, SkipsWhatItNeedNotKnow) {
  const auto meta = DecodeBackupMeta(
      "schema_version 2.7\n1\n2\nowner me\n1\n"
      "private/1/CURRENT colour red crc32 5\n// FOOTER\nmore things\n",
      1, "m");
  ASSERT_TRUE(meta.ok()) << meta.status().ToString();
  const BackupMeta& read = *meta;
  EXPECT_EQ(read.files[0].crc32c, 5u);
}

TEST(BackupMeta, RefusesWhatItMustKnow) {
  for (const char* text :
       {"schema_version 3.0\n1\n2\n0\n", "schema_version 20\n1\n2\n0\n",
        "schema_version 2.1\n1\n2\nni::x y\n0\n",
        "schema_version 2.1\n1\n2\n1\nprivate/1/A ni::x y\n",
        "schema_version 2.1\n1\n2\n0\n// FOOTER\nni::x y\n"}) {
    const auto meta = DecodeBackupMeta(text, 1, "m");
    EXPECT_TRUE(meta.status().IsNotSupported())
        << text << meta.status().ToString();
  }
}

TEST(BackupMeta, NamesTheLineThatIsWrong) {
  const auto meta =
      DecodeBackupMeta("1\n2\n1\n../x crc32 5\n", 1, "dir/meta/1");
  EXPECT_EQ(meta.status().ToString(),
            "Corruption: dir/meta/1: line 4: expected a file of the backup: "
            "found \"../x crc32 5\"");
  for (const char* text :
       {"", "1", "1\n", "1\n2\n", "x\n2\n0\n", "1\n-2\n0\n", "1\n2\nx\n",
        "1\n2\n1\n", "1\n2\n18446744073709551615\n", "1\n2\n0\nmore\n",
        "1\n2\nmetadata 6\n0\n", "1\n2\n1\nprivate/2/A crc32 5\n",
        "1\n2\n1\nprivate/1/A crc32 x\n", "1\n2\n1\nprivate/1/A crc32\n",
        "1\n2\n1\nprivate/1/A crc32 4294967296\n",
        "1\n2\n1\nprivate/1/A size 5\n",
        "1\n2\n2\nprivate/1/A crc32 5\nprivate/1/A crc32 5\n"}) {
    const auto bad = DecodeBackupMeta(text, 1, "m");
    EXPECT_TRUE(bad.status().IsCorruption()) << text;
  }
}

// Whatever one byte is changed into, and wherever the text ends: an answer.
TEST(BackupMeta, DamageIsFoundOrHarmless) {
  const std::string text = kVersion2;
  for (size_t at = 0; at < text.size(); ++at) {
    EXPECT_FALSE(DecodeBackupMeta(text.substr(0, at), 1, "m").ok()) << at;
    for (int byte = 0; byte < 256; ++byte) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(byte);
      const auto meta = DecodeBackupMeta(damaged, 1, "m");
      if (!meta.ok()) continue;
      const BackupMeta& read = *meta;
      EXPECT_LE(read.files.size(), 2u);
      for (const BackupFile& file : read.files) {
        EXPECT_TRUE(IsPathOfBackup(file.path, 1)) << damaged;
      }
    }
  }
}

TEST(BackupMeta, RewritesThatOfRocksDbByteByByte) {
  const auto files = test::GoldenFiles([](const std::filesystem::path& path) {
    return path.parent_path().filename() == "meta";
  });
  RIVERSTONE_SKIP_WITHOUT(files);
  for (const auto& path : files) {
    const std::string text = test::ReadWholeFile(path);
    const auto id = ParseBackupId(path.filename().string());
    ASSERT_TRUE(id.has_value()) << path;
    const auto meta = DecodeBackupMeta(text, *id, path.string());
    ASSERT_TRUE(meta.ok()) << meta.status().ToString();
    const BackupMeta& read = *meta;
    if (text.starts_with("schema_version 2.1")) {
      EXPECT_EQ("schema_version 2.1" + EncodeBackupMeta(read, 2).substr(18),
                text);
    } else {
      EXPECT_EQ(EncodeBackupMeta(read, text.starts_with("schema") ? 2 : 1),
                text);
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
