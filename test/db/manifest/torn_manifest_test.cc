// What a power failure may leave of a MANIFEST, and what is damage.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "db/format/file_names.h"
#include "env/mem/mem_file_system.h"
#include "test/db/manifest/manifest_store.h"
#include "test/db/store_fixture.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// manifest_state.h (2).
TEST(TornManifest, EveryTruncationOfAManifestIsAnOlderStateOrAnError) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  }
  ASSERT_TRUE(store.set.Close().ok());
  const std::string path = DescriptorFileName(kDb, store.set.manifest_number());
  const std::string bytes = test::ReadFile(&fs, path);
  const Numbers all = store.Files();
  size_t good = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    test::WriteFile(&fs, path, bytes.substr(0, size));
    Store cut(&fs);
    const Status status = cut.Recover({"default"}, true);
    if (!status.ok()) {
      EXPECT_TRUE(status.IsCorruption()) << status.ToString();
      EXPECT_NE(status.ToString().find(path), std::string::npos);
      continue;
    }
    ++good;
    EXPECT_LT(cut.Files().size(), all.size());
  }
  EXPECT_GT(good, 0u);
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    test::WriteFile(&fs, path, damaged);
    Store flipped(&fs);
    const Status status = flipped.Recover({"default"}, true);
    if (status.ok()) {
      // Only where the damage looks like a record cut short at the end.
      EXPECT_EQ(all.size() - 1, flipped.Files().size()) << i;
    } else {
      EXPECT_TRUE(status.IsCorruption()) << i << status.ToString();
    }
  }
}

// The last edit is long enough to lie on three pages.
TEST(TornManifest, APageNeverWrittenEndsAManifestAndDamageDoesNot) {
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  const Numbers before = store.Files();
  const std::string path = DescriptorFileName(kDb, store.set.manifest_number());
  const size_t start = test::ReadFile(&fs, path).size();
  VersionEdit edit;
  const uint64_t number = store.set.NewFileNumber();
  store.set.SetLastAllocatedSequence(number);
  edit.AddFile(0, MakeFile(number, std::string(6000, 'a'),
                           std::string(6000, 'b'), number));
  ASSERT_TRUE(store.Apply(store.set.family(0), &edit).ok());
  const std::string bytes = test::ReadFile(&fs, path);
  ASSERT_GT(bytes.size(), 2u * 4096);

  const auto recover = [&](const std::string& content, Numbers* files) {
    test::WriteFile(&fs, path, content);
    Store other(&fs);
    const Status status = other.Recover({"default"}, true);
    if (status.ok()) *files = other.Files();
    return status;
  };
  Numbers files;
  for (const size_t unit : {size_t{512}, size_t{4096}}) {
    for (size_t at = 0; at < bytes.size(); at += unit) {
      SCOPED_TRACE(std::to_string(unit) + " at " + std::to_string(at));
      std::string unwritten = bytes;
      const size_t from = std::max(at, start);
      const size_t n = std::min(at + unit, bytes.size()) - from;
      unwritten.replace(from, n, n, '\0');
      const Status status = recover(unwritten, &files);
      EXPECT_TRUE(status.ok()) << status.ToString();
      EXPECT_EQ(before, files);

      // The same bytes with one bit turned may be what was promised.
      std::string damaged = bytes;
      damaged[from + n / 2] = static_cast<char>(damaged[from + n / 2] ^ 1);
      EXPECT_TRUE(recover(damaged, &files).IsCorruption());
    }
  }

  // Zeros with an edit behind them are damage, too.
  test::WriteFile(&fs, path, bytes);
  ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
  std::string hole = test::ReadFile(&fs, path);
  ASSERT_GT(hole.size(), bytes.size());
  hole.replace(4096, 4096, 4096, '\0');
  EXPECT_TRUE(recover(hole, &files).IsCorruption());
  ASSERT_TRUE(store.set.Close().ok());
}

// An edit that makes a log obsolete gets a second record, which is synced
// together with it: the first may be lost and the second be there.
TEST(TornManifest,
     ASectorNeverWrittenEndsAManifestInFrontOfRecordsOfTheSameSync) {
  constexpr size_t kSector = 512;
  MemFileSystem fs;
  Store store(&fs);
  ASSERT_TRUE(store.Create().ok());
  ASSERT_TRUE(store.Recover({"default"}, false).ok());
  FamilyVersions* const family = store.set.family(0);
  ASSERT_TRUE(store.AddFile(family).ok());
  const Numbers before = store.Files();
  const std::string path = DescriptorFileName(kDb, store.set.manifest_number());
  const size_t start = test::ReadFile(&fs, path).size();
  const uint64_t number = store.set.NewFileNumber();
  store.set.SetLastAllocatedSequence(number);
  VersionEdit edit;
  edit.log_number = number;
  edit.AddFile(0, MakeFile(number, std::string(2000, 'a'), "b", number));
  ASSERT_TRUE(store.Apply(family, &edit).ok());
  const Numbers after = store.Files();
  const std::string bytes = test::ReadFile(&fs, path);
  size_t records = 0;
  ASSERT_TRUE(ReadManifestFile(&fs, path, [&](const VersionEdit& read, Slice) {
                records += read.batch_offset == start ? 1 : 0;
              }).ok());
  ASSERT_EQ(1u, records);

  Numbers files;
  const auto recover_without = [&](std::string content, size_t from) {
    const size_t to = (from / kSector + 1) * kSector;
    const size_t n = std::min(to, content.size()) - from;
    content.replace(from, n, n, '\0');
    test::WriteFile(&fs, path, content);
    Store other(&fs);
    const Status status = other.Recover({"default"}, true);
    if (status.ok()) files = other.Files();
    return status;
  };
  size_t lost = 0;
  for (size_t from = start; from < bytes.size();
       from = (from / kSector + 1) * kSector) {
    SCOPED_TRACE(from);
    const Status status = recover_without(bytes, from);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(files == before || files == after);
    lost += files == before ? 1 : 0;
  }
  EXPECT_GE(lost, 4u);

  // What another sync followed was synced itself.
  test::WriteFile(&fs, path, bytes);
  ASSERT_TRUE(store.AddFile(family).ok());
  const std::string more = test::ReadFile(&fs, path);
  const size_t second = (start / kSector + 1) * kSector;
  EXPECT_TRUE(recover_without(more, second).IsCorruption());
  EXPECT_TRUE(recover_without(more, second + kSector).IsCorruption());
  ASSERT_TRUE(store.set.Close().ok());
}

// An edit that ends in the first bytes of a sector, which was not written.
TEST(TornManifest, ASectorNeverWrittenMayHoldTheLastBytesOfAnEditOnly) {
  constexpr size_t kSector = 512;
  size_t key_bytes = 3000;  // Of an edit that ends where a sector does.
  for (size_t last = 0; last <= 16; ++last) {
    SCOPED_TRACE(last);
    MemFileSystem fs;
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    ASSERT_TRUE(store.AddFile(store.set.family(0)).ok());
    const Numbers before = store.Files();
    const uint64_t number = store.set.NewFileNumber();
    store.set.SetLastAllocatedSequence(number);
    VersionEdit edit;
    edit.AddFile(
        0, MakeFile(number, std::string(key_bytes + last, 'a'), "b", number));
    ASSERT_TRUE(store.Apply(store.set.family(0), &edit).ok());
    const std::string path =
        DescriptorFileName(kDb, store.set.manifest_number());
    std::string content = test::ReadFile(&fs, path);
    ASSERT_TRUE(store.set.Close().ok());
    if (last == 0) {
      key_bytes += kSector - content.size() % kSector;
      continue;
    }
    ASSERT_EQ(last, content.size() % kSector);
    content.replace(content.size() - last, last, last, '\0');
    test::WriteFile(&fs, path, content);
    Store other(&fs);
    const Status status = other.Recover({"default"}, true);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(before, other.Files());
  }
}

// An edit that begins up to 16 bytes before the end of a page, which was not
// written again for it.
TEST(TornManifest, APageNeverWrittenMayHoldTheFirstBytesOfAnEditOnly) {
  constexpr size_t kPage = 4096;
  size_t key_bytes = 3000;  // Of an edit that ends where the page does.
  for (size_t first = 0; first <= 16; ++first) {
    SCOPED_TRACE(first);
    MemFileSystem fs;
    Store store(&fs);
    ASSERT_TRUE(store.Create().ok());
    ASSERT_TRUE(store.Recover({"default"}, false).ok());
    FamilyVersions* const family = store.set.family(0);
    const uint64_t number = store.set.NewFileNumber();
    store.set.SetLastAllocatedSequence(number);
    VersionEdit edit;
    edit.AddFile(
        0, MakeFile(number, std::string(key_bytes - first, 'a'), "b", number));
    ASSERT_TRUE(store.Apply(family, &edit).ok());
    const Numbers before = store.Files();
    const std::string path =
        DescriptorFileName(kDb, store.set.manifest_number());
    const size_t start = test::ReadFile(&fs, path).size();
    if (first == 0) {
      key_bytes += kPage - start;
      continue;
    }
    ASSERT_EQ(kPage - first, start);
    ASSERT_TRUE(store.AddFile(family).ok());
    std::string bytes = test::ReadFile(&fs, path);
    ASSERT_TRUE(store.set.Close().ok());
    bytes.replace(start, first, first, '\0');
    test::WriteFile(&fs, path, bytes);
    Store other(&fs);
    const Status status = other.Recover({"default"}, true);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(before, other.Files());
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
