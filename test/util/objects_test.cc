// The small public objects: Status, Slice, comparators, prefix extractors,
// merge operators, limiter of tasks, write buffer manager.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/convenience.h"
#include "rocksdb/slice.h"
#include "rocksdb/slice_transform.h"
#include "rocksdb/status.h"
#include "rocksdb/write_buffer_manager.h"
#include "util/coding.h"
#include "util/concurrent_task_limiter.h"
#include "util/merge_operators.h"
#include "util/random.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

TEST(Status, TheTextStartsWithTheKindAndAColon) {
  EXPECT_EQ("OK", Status::OK().ToString());
  EXPECT_EQ("NotFound: key: where",
            Status::NotFound("key", "where").ToString());
  EXPECT_EQ("NotFound: ", Status::NotFound().ToString());
  EXPECT_EQ("Not implemented: x", Status::NotSupported("x").ToString());
  EXPECT_EQ("IO error: No space left on device: /f",
            Status::NoSpace("/f").ToString());
  EXPECT_EQ("Operation timed out: Timeout waiting to lock key",
            Status::TimedOut(Status::kLockTimeout).ToString());
  EXPECT_EQ("Operation failed. Try again.: later",
            Status::TryAgain("later").ToString());
}

TEST(Status, CopiesAndMovesKeepEverything) {
  const Status original = Status::Corruption("bad", "file");
  Status copy = original;
  EXPECT_EQ(original.ToString(), copy.ToString());
  const Status moved = std::move(copy);
  EXPECT_EQ(original.ToString(), moved.ToString());
  const Status severe(moved, Status::kHardError);
  EXPECT_EQ(Status::kHardError, severe.severity());
  EXPECT_TRUE(severe.IsCorruption());
}

TEST(Slice, HexGoesBothWays) {
  const std::string bytes("\x00\x9f\xff", 3);
  EXPECT_EQ("009FFF", Slice(bytes).ToString(true));
  std::string back;
  ASSERT_TRUE(Slice("009fFF").DecodeHex(&back));
  EXPECT_EQ(bytes, back);
  EXPECT_FALSE(Slice("0").DecodeHex(&back));
  EXPECT_FALSE(Slice("0g").DecodeHex(&back));
}

TEST(Slice, PartsAreJoined) {
  const Slice parts[] = {"ab", "", "c"};
  std::string buf;
  EXPECT_EQ("abc", Slice(SliceParts(parts, 3), &buf).ToString());
}

TEST(PinnableSlice, CleanupsRunExactlyOnce) {
  int runs = 0;
  const auto cleanup = [](void* count, void*) { ++*static_cast<int*>(count); };
  {
    PinnableSlice pinned;
    pinned.PinSlice("value", cleanup, &runs, nullptr);
    PinnableSlice moved(std::move(pinned));
    EXPECT_EQ("value", moved.ToString());
    EXPECT_EQ(0, runs);
    moved.Reset();
    EXPECT_EQ(1, runs);
    moved.PinSelf("own");
    EXPECT_EQ("own", moved.ToString());
  }
  EXPECT_EQ(1, runs);
}

std::string RandomKey(Random64* random) {
  const char alphabet[] = {'\0', 'a', 'b', '\xfe', '\xff'};
  std::string key;
  for (uint64_t size = random->Uniform(6); size > 0; size--) {
    key.push_back(alphabet[random->Uniform(5)]);
  }
  return key;
}

TEST(Comparator, SeparatorsAndSuccessorsKeepTheirPromises) {
  Random64 random(9);
  for (const Comparator* cmp :
       {BytewiseComparator(), ReverseBytewiseComparator()}) {
    for (int i = 0; i < 100000; i++) {
      std::string start = RandomKey(&random);
      std::string limit = RandomKey(&random);
      if (cmp->Compare(start, limit) > 0) std::swap(start, limit);
      std::string separator = start;
      cmp->FindShortestSeparator(&separator, limit);
      ASSERT_LE(separator.size(), start.size());
      ASSERT_GE(cmp->Compare(separator, start), 0);
      if (start != limit) {
        ASSERT_LT(cmp->Compare(separator, limit), 0);
      }
      std::string successor = start;
      cmp->FindShortSuccessor(&successor);
      ASSERT_LE(successor.size(), start.size());
      ASSERT_GE(cmp->Compare(successor, start), 0);
    }
  }
}

TEST(Comparator, SeparatorsAreTheOnesOfTheFormat) {
  const auto separator = [](const Comparator* cmp, std::string start,
                            const Slice& limit) {
    cmp->FindShortestSeparator(&start, limit);
    return start;
  };
  const Comparator* const bytewise = BytewiseComparator();
  EXPECT_EQ("abd", separator(bytewise, "abc1xyz", "abg"));
  EXPECT_EQ("abc2", separator(bytewise, "abc1xyz", "abd"));
  EXPECT_EQ("abc\xff\x02", separator(bytewise, "abc\xff\x01yz", "abd"));
  EXPECT_EQ("abc", separator(bytewise, "abc", "abcd"));
  const Comparator* const reverse = ReverseBytewiseComparator();
  EXPECT_EQ("abg", separator(reverse, "abgxyz", "abc"));
  EXPECT_EQ("abg", separator(reverse, "abg", "abc"));
  std::string key =
      "\xff\xff"
      "a1";
  bytewise->FindShortSuccessor(&key);
  EXPECT_EQ(
      "\xff\xff"
      "b",
      key);
}

TEST(Comparator, ImmediateSuccessorsOfOneLengthAreRecognised) {
  const Comparator* const cmp = BytewiseComparator();
  EXPECT_TRUE(cmp->IsSameLengthImmediateSuccessor("ab", "ac"));
  EXPECT_TRUE(cmp->IsSameLengthImmediateSuccessor(Slice("a\xff", 2),
                                                  Slice("b\x00", 2)));
  EXPECT_FALSE(cmp->IsSameLengthImmediateSuccessor("ab", "ad"));
  EXPECT_FALSE(cmp->IsSameLengthImmediateSuccessor("ab", "ab"));
  EXPECT_FALSE(cmp->IsSameLengthImmediateSuccessor("ab", "abc"));
}

TEST(Comparator, NamesMakeComparators) {
  const ConfigOptions config;
  const Comparator* cmp = nullptr;
  ASSERT_TRUE(
      Comparator::CreateFromString(config, "leveldb.BytewiseComparator", &cmp)
          .ok());
  EXPECT_EQ(BytewiseComparator(), cmp);
  ASSERT_TRUE(Comparator::CreateFromString(
                  config, "rocksdb.ReverseBytewiseComparator", &cmp)
                  .ok());
  EXPECT_EQ(ReverseBytewiseComparator(), cmp);
  EXPECT_TRUE(
      Comparator::CreateFromString(config, "other", &cmp).IsNotSupported());
}

TEST(SliceTransform, PrefixesAreWhatTheNamesSay) {
  const std::unique_ptr<const SliceTransform> fixed(NewFixedPrefixTransform(3));
  EXPECT_EQ("abc", fixed->Transform("abcdef").ToString());
  EXPECT_FALSE(fixed->InDomain("ab"));
  EXPECT_EQ("rocksdb.FixedPrefix.3", fixed->AsString());
  const std::unique_ptr<const SliceTransform> capped(
      NewCappedPrefixTransform(3));
  EXPECT_EQ("abc", capped->Transform("abcdef").ToString());
  EXPECT_EQ("ab", capped->Transform("ab").ToString());
  EXPECT_TRUE(capped->InDomain(""));
  EXPECT_FALSE(capped->SameResultWhenAppended("ab"));
  const std::unique_ptr<const SliceTransform> noop(NewNoopTransform());
  EXPECT_EQ("abcdef", noop->Transform("abcdef").ToString());
}

TEST(SliceTransform, TextsAndTransformsGoBothWays) {
  const ConfigOptions config;
  std::shared_ptr<const SliceTransform> transform;
  for (const char* id : {"fixed:4", "rocksdb.FixedPrefix.4", "capped:6",
                         "rocksdb.CappedPrefix.6", "rocksdb.Noop"}) {
    ASSERT_TRUE(SliceTransform::CreateFromString(config, id, &transform).ok());
    EXPECT_TRUE(transform->IsInstanceOf(id));
    std::shared_ptr<const SliceTransform> again;
    ASSERT_TRUE(
        SliceTransform::CreateFromString(config, transform->AsString(), &again)
            .ok());
    EXPECT_EQ(transform->GetId(), again->GetId());
  }
  for (const char* id : {"fixed:", "fixed:x", "fixed:4x", "fixed", "other"}) {
    EXPECT_FALSE(SliceTransform::CreateFromString(config, id, &transform).ok())
        << id;
  }
  ASSERT_TRUE(
      SliceTransform::CreateFromString(config, "nullptr", &transform).ok());
  EXPECT_EQ(nullptr, transform);
}

// The result of merging `operands` on `base` by operator `id`, in one step and
// with all ways to join two neighbours first; "different!" if they differ.
std::string Merge(const std::string& id, const Slice* base,
                  const std::vector<std::string>& operands) {
  std::shared_ptr<MergeOperator> op;
  if (!MergeOperator::CreateFromString(ConfigOptions(), id, &op).ok()) {
    return "unknown";
  }
  const auto full = [&](const std::vector<std::string>& strings) {
    const std::vector<Slice> slices(strings.begin(), strings.end());
    std::string value;
    Slice existing(nullptr, 0);
    const MergeOperator::MergeOperationInput in("key", base, slices, nullptr);
    MergeOperator::MergeOperationOutput out(value, existing);
    if (!op->FullMergeV2(in, &out)) return std::string("failed");
    return existing.data() != nullptr ? existing.ToString() : value;
  };
  const std::string result = full(operands);
  for (size_t i = 0; i + 1 < operands.size(); i++) {
    std::vector<std::string> joined = operands;
    std::string pair;
    if (!op->PartialMergeMulti("key", {operands[i], operands[i + 1]}, &pair,
                               nullptr)) {
      continue;
    }
    joined[i] = pair;
    joined.erase(joined.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    if (full(joined) != result) return "different!";
  }
  return result;
}

TEST(MergeOperators, BuiltInOnesMergeAsDocumented) {
  const Slice base("b");
  EXPECT_EQ("2", Merge("put", &base, {"1", "2"}));
  EXPECT_EQ("b,x,y", Merge("stringappend", &base, {"x", "y"}));
  EXPECT_EQ("x,y", Merge("stringappendtest", nullptr, {"x", "y"}));
  EXPECT_EQ("x", Merge("StringAppendOperator", nullptr, {"x"}));
  EXPECT_EQ("b::x",
            Merge("{id=StringAppendOperator;delimiter=::;}", &base, {"x"}));
  EXPECT_EQ("bx", Merge("{id=StringAppendOperator;delimiter=;}", &base, {"x"}));
  EXPECT_EQ("c", Merge("max", &base, {"a", "c", "bb"}));
  EXPECT_EQ("b", Merge("MaxOperator", &base, {"a", "aa"}));
  EXPECT_EQ("1,2,3,4,9", Merge("sortlist", nullptr, {"2,9", "1,4", "3"}));
  EXPECT_EQ("failed", Merge("sortlist", nullptr, {"2,x"}));
  EXPECT_EQ("#a", Merge("bytesxor", &base, {"Aa"}));
  EXPECT_EQ("unknown", Merge("no.such", nullptr, {"x"}));
}

TEST(MergeOperators, AnEmptyBaseIsStillABase) {
  const Slice empty("");
  EXPECT_EQ(",x", Merge("stringappend", &empty, {"x"}));
}

TEST(MergeOperators, NumbersAreAddedAndOtherSizesCountAsZero) {
  const auto number = [](uint64_t v) {
    std::string bytes;
    PutFixed64(&bytes, v);
    return bytes;
  };
  const std::string base = number(5);
  const Slice base_slice(base);
  EXPECT_EQ(number(12),
            Merge("uint64add", &base_slice, {number(3), number(4)}));
  EXPECT_EQ(number(4), Merge("uint64add", nullptr, {"odd", number(4)}));
  const Slice odd("odd");
  EXPECT_EQ(number(4), Merge("UInt64AddOperator", &odd, {number(4)}));
}

TEST(MergeOperators, IdsNameTheOperatorAndItsOptions) {
  EXPECT_EQ("{id=StringAppendOperator;delimiter=,;}",
            NewStringAppendOperator(",")->GetId());
  EXPECT_EQ("UInt64AddOperator", NewUInt64AddOperator()->GetId());
}

TEST(TaskLimiter, TokensNeverExceedTheLimitUnlessForced) {
  TaskLimiter limiter("cf", 2);
  {
    const TaskLimiter::Token a = limiter.Take(false);
    const TaskLimiter::Token b = limiter.Take(false);
    EXPECT_TRUE(a.held() && b.held());
    EXPECT_FALSE(limiter.Take(false).held());
    const TaskLimiter::Token forced = limiter.Take(true);
    EXPECT_TRUE(forced.held());
    EXPECT_EQ(3, limiter.GetOutstandingTask());
  }
  EXPECT_EQ(0, limiter.GetOutstandingTask());
  limiter.SetMaxOutstandingTask(0);
  EXPECT_FALSE(limiter.Take(false).held());
  limiter.ResetMaxOutstandingTask();
  EXPECT_TRUE(limiter.Take(false).held());
}

class StallRecorder final : public StallInterface {
 public:
  void Block() override {}
  void Signal() override { signals++; }
  std::atomic<int> signals{0};
};

TEST(WriteBufferManager, AsksForAFlushBySevenEighthsOrByTheTotal) {
  WriteBufferManager manager(800);
  manager.ReserveMem(700);
  EXPECT_FALSE(manager.ShouldFlush());
  manager.ReserveMem(1);
  EXPECT_TRUE(manager.ShouldFlush());
  manager.ScheduleFreeMem(401);  // 300 stay active.
  EXPECT_FALSE(manager.ShouldFlush());
  manager.ReserveMem(100);  // Total 801, active 400.
  EXPECT_TRUE(manager.ShouldFlush());
  manager.FreeMem(401);
  EXPECT_FALSE(manager.ShouldFlush());
  EXPECT_FALSE(WriteBufferManager(0).ShouldFlush());
}

TEST(WriteBufferManager, StalledDatabasesAreWokenWhenMemoryIsFreed) {
  WriteBufferManager manager(1000, nullptr, /*allow_stall=*/true);
  StallRecorder stalled;
  manager.BeginWriteStall(&stalled);
  EXPECT_EQ(1, stalled.signals.load());  // Nothing to wait for.
  manager.ReserveMem(1000);
  ASSERT_TRUE(manager.ShouldStall());
  manager.BeginWriteStall(&stalled);
  EXPECT_TRUE(manager.IsStallActive());
  manager.MaybeEndWriteStall();
  EXPECT_EQ(1, stalled.signals.load());
  manager.FreeMem(1);
  EXPECT_EQ(2, stalled.signals.load());
  EXPECT_FALSE(manager.ShouldStall());
  manager.ReserveMem(1);
  manager.BeginWriteStall(&stalled);
  manager.RemoveDBFromQueue(&stalled);
  EXPECT_EQ(3, stalled.signals.load());
  manager.SetAllowStall(false);
  EXPECT_FALSE(manager.ShouldStall());
}

TEST(WriteBufferManager, MemoryIsChargedToTheCache) {
  const std::shared_ptr<Cache> cache = NewLRUCache(64 << 20, 0);
  {
    WriteBufferManager manager(32 << 20, cache);
    EXPECT_TRUE(manager.cost_to_cache());
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++) {
      threads.emplace_back([&manager] {
        for (int i = 0; i < 500; i++) {
          manager.ReserveMem(100 << 10);
          manager.ScheduleFreeMem(100 << 10);
          if (i % 2 == 0) manager.FreeMem(100 << 10);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(size_t{1000} * (100 << 10), manager.memory_usage());
    EXPECT_EQ(0u, manager.mutable_memtable_memory_usage());
    EXPECT_GE(manager.dummy_entries_in_cache_usage(), manager.memory_usage());
    EXPECT_GE(cache->GetPinnedUsage(), manager.dummy_entries_in_cache_usage());
    manager.FreeMem(manager.memory_usage());
    EXPECT_EQ(0u, manager.dummy_entries_in_cache_usage());
  }
  EXPECT_EQ(0u, cache->GetUsage());
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
