// Benchmarks of db_bench that draw their work by flags of their own: small runs
// of the program, and the databases that they leave.
//
// Place. The program is built into the folder of this test.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/env.h"
#include "rocksdb/utilities/options_util.h"
#include "test/support/peer.h"
#include "test/support/temp_dir.h"

namespace ROCKSDB_NAMESPACE::test {
namespace {

class DbBenchWorkloads : public testing::Test {
 protected:
  Ran Run(const std::string& flags) const {
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() /
         "db_bench")
            .string();
    Ran ran =
        RunCommand(program + " --num=10 --db=" + dir_.path() + " " + flags);
    ran.code = WIFEXITED(ran.code) ? WEXITSTATUS(ran.code) : -1;
    return ran;
  }

  void ExpectRun(const std::string& flags,
                 const std::vector<std::string>& texts) {
    const Ran ran = Run(flags);
    EXPECT_EQ(0, ran.code) << flags << "\n" << ran.output;
    for (const std::string& text : texts) {
      EXPECT_NE(std::string::npos, ran.output.find(text))
          << flags << ": expected '" << text << "', found\n"
          << ran.output;
    }
    output_ = ran.output;
  }

  void ExpectNoRun(const std::string& flags, const std::string& message) {
    const Ran ran = Run(flags);
    EXPECT_EQ(1, ran.code) << flags << "\n" << ran.output;
    EXPECT_NE(std::string::npos, ran.output.find(message))
        << flags << ": expected '" << message << "', found\n"
        << ran.output;
  }

  // The number that the output shows behind the last `text`.
  uint64_t Shown(const std::string& text) const {
    const size_t at = output_.rfind(text);
    EXPECT_NE(std::string::npos, at) << text << "\n" << output_;
    return at == std::string::npos
               ? 0
               : std::strtoull(output_.c_str() + at + text.size(), nullptr, 10);
  }

  // All values, of the family if it has a name.
  std::vector<std::string> Values(
      const std::string& family = kDefaultColumnFamilyName) const {
    std::vector<std::string> names;
    EXPECT_TRUE(DB::ListColumnFamilies(DBOptions(), dir_.path(), &names).ok());
    std::vector<ColumnFamilyDescriptor> families;
    for (const std::string& name : names) {
      families.emplace_back(name, Options());
    }
    std::vector<ColumnFamilyHandle*> handles;
    std::unique_ptr<DB> db;
    const Status opened =
        DB::OpenForReadOnly(DBOptions(), dir_.path(), families, &handles, &db);
    EXPECT_TRUE(opened.ok()) << opened.ToString();
    std::vector<std::string> values;
    for (ColumnFamilyHandle* handle : handles) {
      const std::unique_ptr<Iterator> it(
          db->NewIterator(ReadOptions(), handle));
      for (it->SeekToFirst(); it->Valid(); it->Next()) {
        if (handle->GetName() == family) {
          values.push_back(it->value().ToString());
        }
      }
    }
    for (ColumnFamilyHandle* handle : handles) {
      EXPECT_TRUE(db->DestroyColumnFamilyHandle(handle).ok());
    }
    return values;
  }

  TempDir dir_;
  std::string output_;  // Of the last run.
};

TEST_F(DbBenchWorkloads, TransactionsLeaveSetsWithEqualSums) {
  for (const std::string kind :
       {"--transaction_db", "--optimistic_transaction_db"}) {
    ExpectRun(kind +
                  " --benchmarks=fillseq,randomtransaction --threads=4 "
                  "--num=20 --reads=300 --transaction_sets=3 "
                  "--transaction_set_snapshot --transaction_sleep=10",
              {"1200 operations", "( transactions:300 aborts:",
               "RandomTransactionVerify: Success, each set has the sum "});
    EXPECT_GT(Shown("has the sum "), 300u);
    EXPECT_GT(Values().size(), 20u);
  }
  ExpectNoRun("--benchmarks=fillseq,randomtransaction",
              "needs --transaction_db or --optimistic_transaction_db");
  ExpectNoRun(
      "--benchmarks=randomtransaction --optimistic_transaction_db "
      "--inplace_update_support --allow_concurrent_memtable_write=false",
      "leave out --inplace_update_support");
  ExpectNoRun("--benchmarks=fillseq --transaction_sets=10000",
              "--transaction_sets must be 1 to 9999");
}

TEST_F(DbBenchWorkloads, ReadsThatVerifyFindThreeEqualCopies) {
  ExpectRun(
      "--benchmarks=randomwithverify --reads=3000 --numdistinct=50 "
      "--readwritepercent=60 --deletepercent=10 --threads=2",
      {"6000 operations", "total:3000 found:"});
  EXPECT_GT(Shown("found:"), 500u);
  EXPECT_EQ(0u, Values().size() % 3);
  ExpectNoRun(
      "--benchmarks=randomwithverify --readwritepercent=60 "
      "--deletepercent=40",
      "below 100 in total");
}

TEST_F(DbBenchWorkloads, ATimeSeriesIsReadWhileItIsWrittenAndExpires) {
  const std::string series =
      "--benchmarks=timeseries,flush,compactall --reads=500 --threads=2 "
      "--benchmark_read_rate_limit=1000 "
      "--key_id_range=20 --time_range=200 --expire_style=";
  for (const std::string style : {"none", "delete"}) {
    ExpectRun(series + style + " --num_deletion_threads=2",
              {"1000 operations", " of 500 found)"});
    EXPECT_GT(Values().size(), 0u) << style;
  }
  ExpectRun(series + "compaction_filter",
            {"1000 operations", " of 500 found)"});
  EXPECT_GT(Values().size(), 0u);
  EXPECT_LE(Values().size(), 201u);
  ExpectNoRun("--benchmarks=timeseries --key_size=15",
              "a --key_size of at least 16");
  ExpectNoRun("--benchmarks=timeseries --expire_style=never",
              "--expire_style must be none, compaction_filter or delete");
}

TEST_F(DbBenchWorkloads, AMixedGraphKeepsItsRatios) {
  const std::string keys =
      "--keyrange_num=10 --keyrange_dist_a=14.18 --keyrange_dist_b=-2.917 "
      "--keyrange_dist_c=0.0164 --keyrange_dist_d=-0.08082 "
      "--key_dist_a=0.002312 --key_dist_b=0.3467 ";
  ExpectRun("--benchmarks=fillseq,mixgraph --num=3000 --mix_accesses=2000 " +
                keys +
                "--mix_get_ratio=6 --mix_put_ratio=3 --mix_seek_ratio=1 "
                "--mix_max_scan_len=50 --mix_max_value_size=300 --threads=2",
            {"2000 operations", "( Gets:", " found)"});
  const uint64_t gets = Shown("Gets:");
  const uint64_t puts = Shown("Puts:");
  EXPECT_EQ(1000u, gets + puts + Shown("Seek:"));  // Of one thread.
  EXPECT_GT(gets, 500u);
  EXPECT_LT(gets, 700u);
  EXPECT_GT(puts, 220u);
  EXPECT_LT(puts, 380u);
  EXPECT_EQ(gets, Shown(" of "));  // Each key was found, or could not be.
  ExpectRun(
      "--benchmarks=mixgraph --reads=400 --sine_mix_rate --sine_a=0 "
      "--sine_d=1000",
      {"400 operations"});
  EXPECT_LT(Shown("micros/op "), 1500u);  // Operations per second.
  ExpectNoRun("--benchmarks=mixgraph --mix_get_ratio=0", "and one above 0");
  ExpectNoRun("--benchmarks=mixgraph --keyrange_num=11", "at most --num");
  ExpectNoRun("--benchmarks=mixgraph --keyrange_dist_a=-1", "a share of");
  ExpectNoRun("--benchmarks=mixgraph --mix_max_value_size=2000000",
              "at most 1 MiB");
}

TEST_F(DbBenchWorkloads, OperandsAreReadOneByOneAndComparedWithTheirMerge) {
  ExpectRun(
      "--merge_operator=stringappend --num=20 --writes=1000 --reads=200 "
      "--benchmarks=mergerandom,readrandomoperands",
      {"(200 of 200 found)"});
  ExpectRun("--benchmarks=getmergeoperands --num=1000 --reads=50",
            {"100 operations", " of 50 found; per lookup by Get "});
  ExpectNoRun("--benchmarks=getmergeoperands --merge_operator=uint64add",
              "needs --merge_operator=sortlist, or none");
}

TEST_F(DbBenchWorkloads, KeysAreReplacedByTheirSuccessors) {
  for (const std::string deletes : {"true", "false"}) {
    ExpectRun(
        "--benchmarks=randomreplacekeys --writes=1000 --threads=2 "
        "--numdistinct=30 --stddev=8 --use_single_deletes=" +
            deletes,
        {"2000 operations", "( puts:1000 deletes:"});
    EXPECT_GE(Shown("deletes:"), 970u);
    EXPECT_LE(Values().size(), 60u);
    EXPECT_GE(Values().size(), 40u);
  }
}

TEST_F(DbBenchWorkloads, DeterministicFillsLeaveTheLevelsThatTheFlagsGive) {
  const std::string levels =
      " --num=5000 --num_levels=4 --max_bytes_for_level_multiplier=10 ";
  for (const std::string name :
       {"fillseqdeterministic", "filluniquerandomdeterministic"}) {
    ExpectRun("--benchmarks=" + name + levels + "--disable_auto_compactions",
              {"5000 operations", "Level[0]: 1 files", "Level[1]: 1 files",
               "Level[2]: 1 files", "Level[3]: 1 files"});
    EXPECT_EQ(5000u, Values().size()) << name;
  }
  ExpectNoRun("--benchmarks=fillseqdeterministic" + levels,
              "needs --disable_auto_compactions");
}

TEST_F(DbBenchWorkloads, DisposableEntriesAreDeletedAndPersistentOnesStay) {
  ExpectRun(
      "--benchmarks=fillanddeleteuniquerandom --num=1000 "
      "--disposable_entries_batch_size=10 --disposable_entries_delete_delay=50 "
      "--persistent_entries_batch_size=15 --persistent_entries_value_size=7",
      {"1400 operations", "( puts:1000 deletes:400)"});
  const std::vector<std::string> values = Values();
  EXPECT_EQ(600u, values.size());
  EXPECT_TRUE(std::all_of(values.begin(), values.end(),
                          [](const auto& v) { return v.size() == 7; }));
}

TEST_F(DbBenchWorkloads, FillsGoFromOneSetOfHotFamiliesToTheNext) {
  ExpectRun(
      "--benchmarks=fillseq --num=400 --num_column_families=4 "
      "--num_hot_column_families=2 --column_family_distribution=100,0",
      {"400 operations"});
  EXPECT_EQ(201u, Values().size());
  EXPECT_EQ(0u, Values("column_family_name_000001").size());
  EXPECT_EQ(199u, Values("column_family_name_000002").size());
  EXPECT_EQ(0u, Values("column_family_name_000003").size());
}

TEST_F(DbBenchWorkloads, FillsDeleteRangesAndOverwrite) {
  const std::string ranges =
      "--benchmarks=fillseq,overwrite --num=1000 --max_num_range_tombstones=3 "
      "--writes_before_delete_range=100 --writes_per_range_tombstone=100 "
      "--range_tombstone_width=50 ";
  for (const std::string expand : {"true", "false"}) {
    ExpectRun(ranges + "--expand_range_tombstones=" + expand,
              {"1000 operations"});
    EXPECT_LT(Values().size(), 1000u) << expand;
    EXPECT_GT(Values().size(), 650u) << expand;
  }
  ExpectRun(
      "--benchmarks=filluniquerandom,compact --num=1000 --use_keep_filter "
      "--overwrite_probability=0.5 --overwrite_window_size=20",
      {"1000 operations"});
  EXPECT_GT(Values().size(), 400u);
  EXPECT_LT(Values().size(), 600u);
}

TEST_F(DbBenchWorkloads, ValuesHaveTheSizesOfTheirDistribution) {
  for (const std::string kind : {"uniform", "normal"}) {
    ExpectRun(
        "--benchmarks=fillseq --num=500 --value_size_min=10 "
        "--value_size_max=20 --value_size_distribution_type=" +
            kind,
        {"10 to 20 bytes each, " + kind + " distribution"});
    std::map<size_t, int> sizes;
    for (const std::string& value : Values()) ++sizes[value.size()];
    EXPECT_GE(sizes.begin()->first, 10u);
    EXPECT_LE(sizes.rbegin()->first, 20u);
    EXPECT_GT(sizes.size(), 5u) << kind;
  }
  ExpectRun("--benchmarks=fillseq --num=50 --same_value_percentage=100", {});
  const std::vector<std::string> values = Values();
  EXPECT_EQ(50, std::count(values.begin(), values.end(), values[0]));
}

TEST_F(DbBenchWorkloads, ReadsMayBeSkewedAndIteratorsShowSnapshots) {
  ExpectRun(
      "--num=1000 --benchmarks=fillseq,readrandom,multireadrandom,readseq,"
      "seekrandom,newiterator --read_random_exp_range=10 --explicit_snapshot "
      "--auto_refresh_iterator_with_snapshot --rate_limit_user_ops "
      "--rate_limiter_bytes_per_sec=100000000 --optimize_multiget_for_io=false "
      "--report_open_timing --report_file_operations --print_malloc_stats",
      {"OpenDb:     ", "(1000 of 1000 found)", "<malloc version="});
  EXPECT_GT(Shown("Num files opened: "), 2u);
  EXPECT_GT(Shown("Num bytes written: "), 100000u);
  ExpectRun(
      "--num=1000 --benchmarks=fillseq,seekrandom --key_size=24 "
      "--prefix_size=10 --keys_per_prefix=10 --seek_missing_prefix",
      {"(0 of 1000 found)"});
  ExpectRun("--benchmarks=fillseq[X3] --confidence_interval_only",
            {"fillseq [CI95 3 runs] : ("});
  EXPECT_EQ(std::string::npos, output_.find("[AVG"));
}

TEST_F(DbBenchWorkloads, ADatabaseIsComparedWithItsTruth) {
  const std::string fill =
      "--benchmarks=filluniquerandom --num=300 --seed=7 --db=";
  ExpectRun(fill + dir_.File("truth"), {"300 operations"});
  ExpectRun(fill + dir_.File("copy"), {"300 operations"});
  const std::string verify =
      "--benchmarks=verify --use_existing_db --db=" + dir_.File("copy") +
      " --truth_db=";
  ExpectRun(verify + dir_.File("truth"), {"(300 entries are equal)"});
  ExpectRun("--benchmarks=deleterandom --use_existing_db --deletes=1 --db=" +
                dir_.File("copy"),
            {"1 operations"});
  ExpectNoRun(verify + dir_.File("truth"),
              "the database differs from --truth_db at or before");
  ExpectNoRun(verify + dir_.File("none"), "needs a database in --truth_db");
}

TEST_F(DbBenchWorkloads, OperationsMayGoToTheKeysThatAreThere) {
  std::unique_ptr<DB> db;
  Options options;
  options.create_if_missing = true;
  ASSERT_TRUE(DB::Open(options, dir_.File("words"), &db).ok());
  for (const char* word : {"a", "few", "words", "are", "keys"}) {
    ASSERT_TRUE(db->Put(WriteOptions(), word, "value").ok());
  }
  db.reset();
  const std::string keys = " --use_existing_keys --db=" + dir_.File("words");
  ExpectRun(
      "--benchmarks=readrandom,overwrite,seekrandom --use_existing_db "
      "--reads=40 --io_uring_enabled=false" +
          keys,
      {"(40 of 40 found)", "5 operations"});
  ExpectNoRun("--benchmarks=readrandom" + keys, "needs --use_existing_db");
  ExpectNoRun("--benchmarks=readmissing --use_existing_db" + keys,
              "leave out --use_existing_keys");
}

TEST_F(DbBenchWorkloads, OptionsReachTheDatabaseFromFlagsAndFromAFile) {
  ExpectRun(
      "--benchmarks=fillseq,readrandom --num=1000 --num_levels=5 "
      "--block_protection_bytes_per_key=8 "
      "--memtable_protection_bytes_per_key=4 --avoid_flush_during_shutdown "
      "--experimental_mempurge_threshold=0.5 --file_checksum "
      "--max_bytes_for_level_multiplier_additional=1,2,1,1,1 "
      "--cost_write_buffer_to_cache --compression_type=none "
      "--compression_use_zstd_dict_trainer=false "
      "--max_auto_readahead_size=131072",
      {"1000 of 1000 found"});
  DBOptions of_db;
  std::vector<ColumnFamilyDescriptor> families;
  ASSERT_TRUE(
      LoadLatestOptions(dir_.path(), Env::Default(), &of_db, &families).ok());
  EXPECT_TRUE(of_db.avoid_flush_during_shutdown);
  const ColumnFamilyOptions& o = families[0].options;
  EXPECT_EQ(8u, o.block_protection_bytes_per_key);
  EXPECT_EQ(4u, o.memtable_protection_bytes_per_key);
  EXPECT_EQ(0.5, o.experimental_mempurge_threshold);
  EXPECT_EQ((std::vector<int>{1, 2, 1, 1, 1}),
            o.max_bytes_for_level_multiplier_additional);
  EXPECT_FALSE(o.compression_opts.use_zstd_dict_trainer);

  std::string name;
  ASSERT_TRUE(
      GetLatestOptionsFileName(dir_.path(), Env::Default(), &name).ok());
  ExpectRun("--benchmarks=fillseq --num_levels=3 --db=" + dir_.File("other") +
                " --options_file=" + dir_.File(name),
            {"10 operations"});
  std::vector<ColumnFamilyDescriptor> others;
  ASSERT_TRUE(
      LoadLatestOptions(dir_.File("other"), Env::Default(), &of_db, &others)
          .ok());
  EXPECT_EQ(5, others[0].options.num_levels);
  ExpectRun("--build_info", {"db_bench (RocksDB)", "Riverstone "});
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::test
