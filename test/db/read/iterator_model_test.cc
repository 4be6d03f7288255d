// Prefix seeks, tailing and pinned iterators beside a model, at random: what
// flushes, compactions, range deletions, new prefix extractors and reopenings
// do to the files must not be seen.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/cache.h"
#include "rocksdb/convenience.h"
#include "rocksdb/db.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/merge_operator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/statistics.h"
#include "rocksdb/table.h"
#include "test/support/effort.h"
#include "test/support/model_db.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE {
namespace {

using engine::Random64;
using test::ModelDb;
using Rows = ModelDb::Rows;

struct Case {
  const char* name;
  std::function<void(Options*, BlockBasedTableOptions*)> change;
  bool filters_help = true;  // Prefix filters must have ruled files out.
};

class IteratorModel : public ::testing::TestWithParam<Case> {
 protected:
  IteratorModel() : random_(Seed()), env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.create_if_missing = true;
    options_.compression = kNoCompression;
    options_.write_buffer_size = 16 << 10;
    options_.arena_block_size = 4096;
    options_.target_file_size_base = 4 << 10;
    options_.max_bytes_for_level_base = 16 << 10;
    options_.max_bytes_for_level_multiplier = 4;
    options_.level0_file_num_compaction_trigger = 3;
    options_.num_levels = 5;
    options_.statistics = CreateDBStatistics();
    options_.prefix_extractor.reset(NewFixedPrefixTransform(4));
    EXPECT_TRUE(MergeOperator::CreateFromString(ConfigOptions(), "stringappend",
                                                &options_.merge_operator)
                    .ok());
    BlockBasedTableOptions table;
    table.block_size = 256;
    table.block_cache = NewLRUCache(256 << 10);
    table.filter_policy.reset(NewBloomFilterPolicy(10));
    GetParam().change(&options_, &table);
    options_.table_factory.reset(NewBlockBasedTableFactory(table));
    model_.CreateFamily(kName, ModelDb::Merging::kAppend);
    Open();
  }

  static uint64_t Seed() {
    const char* const given = std::getenv("RIVERSTONE_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 301;
  }
  static bool Failed() { return ::testing::Test::HasFailure(); }
  bool Chance(uint64_t of_thousand) {
    return random_.Uniform(1000) < of_thousand;
  }
  void Open() {
    const Status status = DB::Open(options_, "/db", &db_);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  // Some hundred prefixes, of which many are never there; keys too short to
  // have one; bytes at which prefixes carry.
  std::string AnyKey() {
    const char digits[] = {'0', '1', '7', '\xfe', '\xff'};
    std::string key = "k";
    const size_t size = Chance(50) ? random_.Uniform(3) : 3;
    for (size_t i = 0; i < size; ++i) key += digits[random_.Uniform(5)];
    if (size == 3) {
      const uint64_t rest = random_.Uniform(4);
      for (uint64_t i = 0; i < rest; ++i) key += digits[random_.Uniform(5)];
    }
    return key;
  }
  // Of few prefixes: so that most are in no file.
  std::string KeyToWrite() {
    std::string key = AnyKey();
    if (key.size() >= 4 && key[1] == '7') key[3] = '0';
    if (key.size() >= 4) key[2] = key[1];
    return key;
  }

  const Rows& rows() const { return model_.rows(kName); }

  void Write() {
    const std::string key = KeyToWrite();
    const uint64_t what = random_.Uniform(100);
    const WriteOptions write;
    Status status;
    if (what < 65) {
      const std::string value = std::to_string(++count_);
      status = db_->Put(write, key, value);
      model_.Put(kName, key, value);
    } else if (what < 80) {
      status = db_->Delete(write, key);
      model_.Delete(kName, key);
    } else if (what < 90) {
      const std::string operand = std::to_string(++count_);
      status = db_->Merge(write, key, operand);
      model_.Merge(kName, key, operand);
    } else if (what < 93) {
      std::pair<std::string, std::string> range =
          std::minmax(key, KeyToWrite());
      // Mostly small ones.
      if (Chance(900)) range.second = range.first + "0";
      status = db_->DeleteRange(write, range.first, range.second);
      for (auto it = rows().lower_bound(range.first);
           it != rows().end() && it->first < range.second; ++it) {
        touched_.insert(it->first);
      }
      model_.DeleteRange(kName, range.first, range.second);
    } else {
      return Rearrange();
    }
    touched_.insert(key);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  void Rearrange() {
    const uint64_t what = random_.Uniform(100);
    if (what < 20) {
      ASSERT_TRUE(db_->Flush(FlushOptions()).ok());
    } else if (what < 25) {
      ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
    } else if (what < 28) {
      const char* const texts[] = {"fixed:4", "capped:4", "fixed:3",
                                   "capped:6"};
      const std::string text = texts[random_.Uniform(4)];
      ASSERT_TRUE(db_->SetOptions({{"prefix_extractor", text}}).ok());
      ASSERT_TRUE(SliceTransform::CreateFromString(ConfigOptions(), text,
                                                   &options_.prefix_extractor)
                      .ok());
    } else if (what < 30 && may_reopen_) {
      db_.reset();
      Open();
    }
  }

  unsigned long long Count(Tickers ticker) const {
    return options_.statistics->getTickerCount(ticker);
  }
  std::string PrefixOf(const std::string& key) const {
    return options_.prefix_extractor->Transform(key).ToString();
  }
  bool Has(const std::string& key, const std::string& prefix) const {
    return options_.prefix_extractor->InDomain(key) && PrefixOf(key) == prefix;
  }

  static constexpr const char* kName = "default";
  Random64 random_;
  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<DB> db_;
  ModelDb model_;
  uint64_t count_ = 0;
  bool may_reopen_ = true;
  std::set<std::string> touched_;  // Keys, since it was last cleared.
};

// --------------------------------------------------------------- prefix seeks

class PrefixModel : public IteratorModel {
 protected:
  static std::string Shown(const Iterator& it) {
    return it.key().ToString(true) + "=" + it.value().ToString();
  }

  // With an extractor, not in total order: every key with the prefix, from the
  // target on, and none that is not there.
  void CheckWithinPrefix() {
    ReadOptions read;
    read.prefix_same_as_start = Chance(500);
    read.pin_data = Chance(200);
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    for (int i = 0; i < 6 && !Failed(); ++i) {
      const std::string target = Chance(500) ? AnyKey() : KeyToWrite();
      if (!options_.prefix_extractor->InDomain(target)) continue;
      const std::string prefix = PrefixOf(target);
      SCOPED_TRACE("target " + Slice(target).ToString(true) + " prefix " +
                   Slice(prefix).ToString(true));
      CheckForward(it.get(), target, prefix, read.prefix_same_as_start);
      CheckBackward(it.get(), target, prefix, read.prefix_same_as_start);
    }
  }

  void CheckForward(Iterator* it, const std::string& target,
                    const std::string& prefix, bool ends) {
    auto row = rows().lower_bound(target);
    for (it->Seek(target); row != rows().end() && Has(row->first, prefix);
         ++row) {
      ASSERT_TRUE(it->Valid()) << Slice(row->first).ToString(true);
      ASSERT_EQ(Slice(row->first).ToString(true) + "=" + row->second,
                Shown(*it));
      if (Chance(200) && row != rows().begin()) {
        const auto before = std::prev(row);
        it->Prev();
        if (Has(before->first, prefix)) {
          ASSERT_TRUE(it->Valid());
          ASSERT_EQ(Slice(before->first).ToString(true) + "=" + before->second,
                    Shown(*it));
          it->Next();
          ASSERT_TRUE(it->Valid());
          ASSERT_EQ(Slice(row->first).ToString(true), it->key().ToString(true));
        } else {
          it->Seek(row->first);
        }
      }
      it->Next();
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    if (!it->Valid()) return;
    // What it may show behind the prefix is there.
    EXPECT_FALSE(ends) << Shown(*it);
    EXPECT_EQ(1u, rows().count(it->key().ToString())) << Shown(*it);
  }

  void CheckBackward(Iterator* it, const std::string& target,
                     const std::string& prefix, bool ends) {
    auto row = rows().upper_bound(target);
    it->SeekForPrev(target);
    while (row != rows().begin() && Has(std::prev(row)->first, prefix)) {
      --row;
      ASSERT_TRUE(it->Valid()) << Slice(row->first).ToString(true);
      ASSERT_EQ(Slice(row->first).ToString(true) + "=" + row->second,
                Shown(*it));
      it->Prev();
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    if (!it->Valid()) return;
    EXPECT_FALSE(ends) << Shown(*it);
    EXPECT_EQ(1u, rows().count(it->key().ToString())) << Shown(*it);
  }

  // What shows the same as total order: that, and the automatic mode.
  void CheckExactly() {
    ReadOptions read;
    read.total_order_seek = Chance(300);
    read.auto_prefix_mode = !read.total_order_seek;
    std::string upper = Chance(500) ? AnyKey() : KeyToWrite();
    std::string lower = AnyKey();
    if (Chance(300)) upper.resize(std::min<size_t>(upper.size(), 4));
    Slice upper_slice(upper);
    Slice lower_slice(lower);
    Rows within = rows();
    if (Chance(800)) {
      read.iterate_upper_bound = &upper_slice;
      within.erase(within.lower_bound(upper), within.end());
    }
    if (Chance(200)) {
      read.iterate_lower_bound = &lower_slice;
      within.erase(within.begin(), within.lower_bound(lower));
    }
    SCOPED_TRACE("upper " + upper_slice.ToString(true) + " lower " +
                 lower_slice.ToString(true));
    const std::unique_ptr<Iterator> it(db_->NewIterator(read));
    auto at = within.end();
    for (int i = 0; i < 20 && !Failed(); ++i) {
      const std::string how = Move(it.get(), within, &at, upper);
      const bool valid = at != within.end();
      ASSERT_EQ(valid, it->Valid())
          << how
          << (valid ? " expected " + Slice(at->first).ToString(true)
                    : " shows " + Shown(*it));
      if (!valid) continue;
      ASSERT_EQ(Slice(at->first).ToString(true) + "=" + at->second, Shown(*it))
          << how;
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
  }

  std::string Move(Iterator* it, Rows& within, Rows::iterator* at,
                   const std::string& near) {
    // Targets that share a prefix with the bound, or nearly, or not.
    std::string key = Chance(600)   ? near.substr(0, 4)
                      : Chance(500) ? AnyKey()
                                    : KeyToWrite();
    if (Chance(300) && !key.empty()) {
      key.back() = static_cast<char>(key.back() - 1);
    }
    const uint64_t what = random_.Uniform(10);
    const bool on_row = *at != within.end();
    const test::Moving moving = on_row && what < 3   ? test::Moving::kNext
                                : on_row && what < 5 ? test::Moving::kPrev
                                                     : AnySeek();
    return test::MoveBoth(moving, key, it, within, at);
  }
  test::Moving AnySeek() {
    switch (random_.Uniform(8)) {
      case 0:
        return test::Moving::kSeekToFirst;
      case 1:
        return test::Moving::kSeekToLast;
      case 2:
        return test::Moving::kSeekForPrev;
      default:
        return test::Moving::kSeek;
    }
  }
};

TEST_P(PrefixModel, SeeksFindWhatTheModelHas) {
  const int operations = test::Effort(4000);
  for (int i = 0; i < operations && !Failed(); ++i) {
    Write();
    if (i % 8 == 0) CheckWithinPrefix();
    if (i % 4 == 0) CheckExactly();
  }
  if (GetParam().filters_help) {
    EXPECT_LT(100u, Count(BLOOM_FILTER_PREFIX_USEFUL));
  }
  std::printf("prefix filters asked %llu, useful %llu\n",
              Count(BLOOM_FILTER_PREFIX_CHECKED),
              Count(BLOOM_FILTER_PREFIX_USEFUL));
}

// -------------------------------------------------------------------- tailing

class TailingModel : public IteratorModel {
 protected:
  TailingModel() { may_reopen_ = false; }

  // Everything that was not touched since the seek is shown, in order; what
  // was touched may be shown in any of its states.
  void Follow(Iterator* it, const std::string& from) {
    touched_.clear();
    it->Seek(from);
    const auto first = rows().lower_bound(from);
    ASSERT_EQ(first != rows().end(), it->Valid());
    std::string last;
    int steps = 0;
    for (; it->Valid() && steps < 40; ++steps) {
      const std::string key = it->key().ToString();
      ASSERT_LE(from, key);
      if (steps > 0) {
        ASSERT_LT(last, key);
      }
      // Nothing untouched in between was left out.
      auto row =
          steps > 0 ? rows().upper_bound(last) : rows().lower_bound(from);
      for (; row != rows().end() && row->first < key; ++row) {
        ASSERT_TRUE(touched_.contains(row->first))
            << "skipped " << Slice(row->first).ToString(true);
      }
      if (!touched_.contains(key)) {
        ASSERT_EQ(1u, rows().count(key)) << Slice(key).ToString(true);
        ASSERT_EQ(rows().at(key), it->value().ToString());
      }
      last = key;
      if (Chance(300)) Write();
      it->Next();
    }
    ASSERT_TRUE(it->status().ok()) << it->status().ToString();
    if (it->Valid()) return;
    // It ended: nothing untouched is behind the last row shown.
    auto row = steps > 0 ? rows().upper_bound(last) : rows().lower_bound(from);
    for (; row != rows().end(); ++row) {
      ASSERT_TRUE(touched_.contains(row->first))
          << "ended before " << Slice(row->first).ToString(true);
    }
  }
};

TEST_P(TailingModel, SeesWhatIsNewAndMissesNothing) {
  ReadOptions read;
  read.tailing = true;
  read.total_order_seek = true;
  read.pin_data = GetParam().name == std::string("Pinned");
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  const int rounds = test::Effort(600);
  for (int i = 0; i < rounds && !Failed(); ++i) {
    for (uint64_t n = random_.Uniform(12); n > 0; --n) Write();
    Follow(it.get(), AnyKey());
    if (i % 50 == 49) {
      it->SeekToFirst();
      for (const auto& [key, value] : rows()) {
        ASSERT_TRUE(it->Valid());
        ASSERT_EQ(key, it->key().ToString());
        ASSERT_EQ(value, it->value().ToString());
        it->Next();
      }
      ASSERT_FALSE(it->Valid());
    }
  }
}

// --------------------------------------------------------------------- pinned

class PinnedModel : public IteratorModel {
 protected:
  PinnedModel() { may_reopen_ = false; }
};

// What is said to be pinned reads the same when the iterator has been
// everywhere else.
TEST_P(PinnedModel, KeysAndValuesStay) {
  for (int i = 0; i < test::Effort(1500); ++i) Write();
  ReadOptions read;
  read.pin_data = true;
  read.total_order_seek = true;
  read.fill_cache = Chance(500);
  const std::unique_ptr<Iterator> it(db_->NewIterator(read));
  std::vector<std::pair<Slice, std::string>> pinned;
  uint64_t shown = 0;
  const auto note = [&](const char* property, const Slice& slice) {
    std::string answer;
    ASSERT_TRUE(it->GetProperty(property, &answer).ok());
    if (answer == "1") pinned.emplace_back(slice, slice.ToString());
    ++shown;
  };
  const auto note_both = [&] {
    note("rocksdb.iterator.is-key-pinned", it->key());
    note("rocksdb.iterator.is-value-pinned", it->value());
  };
  for (it->SeekToFirst(); it->Valid(); it->Next()) note_both();
  for (it->SeekToLast(); it->Valid(); it->Prev()) note_both();
  for (int i = 0; i < 200; ++i) {
    const std::string key = AnyKey();
    if (Chance(500)) {
      it->Seek(key);
    } else {
      it->SeekForPrev(key);
    }
    if (it->Valid()) note_both();
    if (i == 100) {
      for (int n = 0; n < 300; ++n) Write();
      ASSERT_TRUE(db_->CompactRange({}, nullptr, nullptr).ok());
      ASSERT_TRUE(it->Refresh().ok());
    }
  }
  for (const auto& [slice, copy] : pinned) ASSERT_EQ(copy, slice.ToString());
  EXPECT_LT(shown / 2, pinned.size());
}

using Table = BlockBasedTableOptions;

const Case kCases[] = {
    {"WholeKeysToo", [](Options*, Table*) {}},
    {"PrefixesOnly",
     [](Options*, Table* t) { t->whole_key_filtering = false; }},
    {"Pinned",
     [](Options*, Table* t) {
       t->use_delta_encoding = false;
       t->no_block_cache = true;
     }},
    {"Partitioned",
     [](Options*, Table* t) {
       t->partition_filters = true;
       t->index_type = Table::kTwoLevelIndexSearch;
       t->metadata_block_size = 64;
       t->cache_index_and_filter_blocks = true;
       t->block_size = 64;
     }},
    {"CoupledPartitionsPrefixesOnly",
     [](Options* o, Table* t) {
       t->partition_filters = true;
       t->decouple_partitioned_filters = false;
       t->index_type = Table::kTwoLevelIndexSearch;
       t->metadata_block_size = 64;
       t->whole_key_filtering = false;
       t->block_size = 64;
       o->target_file_size_base = 16 << 10;
     }},
    {"RibbonAndFirstKeys",
     [](Options*, Table* t) {
       t->filter_policy.reset(NewRibbonFilterPolicy(10));
       t->index_type = Table::kBinarySearchWithFirstKey;
     }},
    {"ManyFilesInLevelZero",
     [](Options* o, Table*) {
       o->level0_file_num_compaction_trigger = 12;
       o->write_buffer_size = 8 << 10;
     }},
    {"MemtableBloom",
     [](Options* o, Table* t) {
       o->memtable_prefix_bloom_size_ratio = 0.1;
       o->write_buffer_size = 64 << 10;
       t->filter_policy.reset();
     },
     false},
    {"WithoutFilters", [](Options*, Table* t) { t->filter_policy.reset(); },
     false},
};

std::string NameOf(const ::testing::TestParamInfo<Case>& tested) {
  return tested.param.name;
}

INSTANTIATE_TEST_SUITE_P(Options, PrefixModel, ::testing::ValuesIn(kCases),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Options, TailingModel, ::testing::ValuesIn(kCases),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(Options, PinnedModel, ::testing::ValuesIn(kCases),
                         NameOf);

}  // namespace
}  // namespace ROCKSDB_NAMESPACE
