// CompactOnDeletionCollectorFactory: which files ask for a compaction.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/utilities/table_properties_collectors.h"
#include "test/support/ok.h"

namespace ROCKSDB_NAMESPACE {
namespace {

// A file with these entries: "d" a deletion, "s" a SingleDelete, "r" one of a
// range, "." a value.
bool Asks(CompactOnDeletionCollectorFactory* factory,
          const std::string& entries, uint64_t file_size = 1000) {
  const std::unique_ptr<TablePropertiesCollector> collector(
      factory->CreateTablePropertiesCollector({}));
  if (collector == nullptr) return false;
  for (const char entry : entries) {
    const EntryType type = entry == 'd'   ? kEntryDelete
                           : entry == 's' ? kEntrySingleDelete
                           : entry == 'r' ? kEntryRangeDeletion
                                          : kEntryPut;
    test::Ok(collector->AddUserKey("k", "v", type, 1, file_size));
  }
  UserCollectedProperties properties;
  test::Ok(collector->Finish(&properties));
  EXPECT_TRUE(properties.empty());
  return collector->NeedCompact();
}

TEST(DeletionCollector, CountsInTheWindow) {
  const auto factory = NewCompactOnDeletionCollectorFactory(4, 3);
  EXPECT_FALSE(Asks(factory.get(), ""));
  EXPECT_FALSE(Asks(factory.get(), "dd"));
  EXPECT_TRUE(Asks(factory.get(), "ddd"));
  EXPECT_TRUE(Asks(factory.get(), ".d.sd..........."));
  EXPECT_FALSE(Asks(factory.get(), "dd..dd..dd..dd.."));
  EXPECT_FALSE(Asks(factory.get(), "d..d..d..d..d..d"));
  EXPECT_TRUE(Asks(factory.get(), "................dd.d"));
  EXPECT_FALSE(Asks(factory.get(), "rrrrrr"));
}

TEST(DeletionCollector, CountsInTheFile) {
  const auto factory = NewCompactOnDeletionCollectorFactory(0, 0, 0.5);
  EXPECT_FALSE(Asks(factory.get(), ""));
  EXPECT_TRUE(Asks(factory.get(), "d."));
  EXPECT_FALSE(Asks(factory.get(), "d.."));
  factory->SetDeletionRatio(1.5);
  EXPECT_FALSE(Asks(factory.get(), "dddd"));
}

TEST(DeletionCollector, SmallFilesAreLeftAlone) {
  const auto factory = NewCompactOnDeletionCollectorFactory(2, 2, 0, 1000);
  EXPECT_TRUE(Asks(factory.get(), "dd", 1000));
  EXPECT_FALSE(Asks(factory.get(), "dd", 999));
}

TEST(DeletionCollector, WithoutAConditionThereIsNone) {
  CompactOnDeletionCollectorFactory factory(128, 0, 0);
  EXPECT_EQ(nullptr, factory.CreateTablePropertiesCollector({}));
  factory.SetDeletionTrigger(1);
  EXPECT_TRUE(Asks(&factory, "d"));
  factory.SetWindowSize(0);
  EXPECT_EQ(nullptr, factory.CreateTablePropertiesCollector({}));
  EXPECT_NE(std::string::npos, factory.ToString().find("trigger = 1"));
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
