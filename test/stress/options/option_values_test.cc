// Every option that has an effect is drawn by the stress programs, or says why
// not; and what they draw can be opened.

#include "test/stress/options/option_values.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "db/options/objects.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "test/stress/history/model.h"
#include "test/stress/options/draw_options.h"
#include "test/stress/target/db_target.h"

namespace ROCKSDB_NAMESPACE::stress {
namespace {

engine::FieldTable FieldsOf(Section section) {
  switch (section) {
    case Section::kDb:
      return engine::DbOptionFields();
    case Section::kFamily:
      return engine::CfOptionFields();
    default:
      return engine::BlockBasedTableOptionFields();
  }
}

std::set<std::string> NamesWithEffect(Section section) {
  std::set<std::string> names;
  for (const engine::OptionField& field : FieldsOf(section)) {
    if (!field.Has(engine::kAccepted) && !field.Has(engine::kObsolete)) {
      names.insert(field.name);
    }
  }
  return names;
}

constexpr Section kSections[] = {Section::kDb, Section::kFamily,
                                 Section::kTable};

TEST(OptionValues, AreThereForEveryOptionThatHasAnEffect) {
  for (const Section section : kSections) {
    std::set<std::string> missing = NamesWithEffect(section);
    for (const OptionValues& option : ValuesOf(section)) {
      EXPECT_EQ(1u, missing.erase(option.name))
          << option.name << " has no effect, or is listed twice";
    }
    for (const NotDrawn& option : NotDrawnOf(section)) {
      EXPECT_EQ(1u, missing.erase(option.name))
          << option.name << " has values or no effect";
    }
    for (const std::string& name : missing) {
      ADD_FAILURE() << name << " needs values in option_values.cc";
    }
  }
}

TEST(OptionValues, KnowWhichReleasesHaveThem) {
  for (const Section section : kSections) {
    for (const OptionValues& option : ValuesOf(section)) {
      const engine::OptionField* const field =
          engine::FindField(FieldsOf(section), option.name);
      ASSERT_NE(nullptr, field) << option.name;
      if (field->Has(engine::kOurs)) {
        EXPECT_EQ(Since::kOurs, option.since) << option.name;
      } else if (!field->Has(engine::kShared)) {
        EXPECT_NE(Since::k7, option.since) << option.name;
      }
    }
  }
}

// However a change of a table's option is spelled, it is the same change.
TEST(DrawnOptions, ChangeAnOpenTableInEverySpelling) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.compression = kNoCompression;
  std::unique_ptr<DB> db;
  ASSERT_TRUE(DB::Open(options, "/db", &db).ok());
  for (const auto& [name, value] :
       MutableChanges(Section::kTable, Since::kOurs)) {
    std::string printed;
    for (uint64_t spelling = 0; spelling < kTableSpellings; ++spelling) {
      const auto change = SpellTableChange(name, value, spelling);
      const Status status = db->SetOptions({{change.first, change.second}});
      ASSERT_TRUE(status.ok())
          << change.first << "=" << change.second << ": " << status.ToString();
      std::string now;
      ASSERT_TRUE(
          GetStringFromColumnFamilyOptions(&now, db->GetOptions()).ok());
      if (spelling == 0) printed = now;
      EXPECT_EQ(printed, now) << change.first << "=" << change.second;
    }
  }
}

// A stress program has to know the difference between options it must not
// combine and a bug.
TEST(DrawnOptions, OpenAndReopenADatabase) {
  constexpr uint64_t kSeeds = 25;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
    DbTarget target({env.get(), "/db", nullptr});
    for (uint64_t opening = 0; opening < 3; ++opening) {
      DrawRequest request;
      request.seed = seed;
      request.opening = opening;
      const Opening given{DrawOptions(request, FirstFamilies()), nullptr};
      ASSERT_EQ(kOk, target.Open(given))
          << "seed " << seed << " opening " << opening << "\n"
          << given.options.ToString();
      Operation put;
      put.family = "default";
      put.key = "k";
      put.value = std::to_string(opening);
      EXPECT_EQ(kOk, target.Execute(put));
      ASSERT_EQ(kOk, target.Close()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::stress
