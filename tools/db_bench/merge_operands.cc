// readrandomoperands: GetMergeOperands of random keys.
// getmergeoperands: is a number in a long sorted list that was merged of many?
// Once by Get, which merges them, and once by GetMergeOperands and a search in
// each of them.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

constexpr size_t kOperandsAtFirst = 8;
constexpr uint64_t kNumbersPerList = 100;
// Each lookup by Get merges them all.
constexpr uint64_t kListsMax = 100;
constexpr uint64_t kLookupsMax = 1000;

// The operands of one key after the other.
class OperandReader {
 public:
  OperandReader(DB* db, const ReadOptions& options, size_t expected)
      : db_(db), options_(options), operands_(expected) {}

  // As many as are valid afterwards.
  Status Read(const Slice& key) {
    Status read = TryToRead(key);
    // More than ever before: another writer may add some meanwhile.
    while (read.IsIncomplete() && count() > operands_.size()) {
      operands_ = std::vector<PinnableSlice>(count());
      read = TryToRead(key);
    }
    return read;
  }

  size_t count() const { return static_cast<size_t>(count_); }
  const PinnableSlice& operand(size_t i) const { return operands_[i]; }

 private:
  Status TryToRead(const Slice& key) {
    for (PinnableSlice& operand : operands_) operand.Reset();
    GetMergeOperandsOptions room;
    room.expected_max_number_of_operands = static_cast<int>(operands_.size());
    count_ = 0;
    return db_->GetMergeOperands(options_, db_->DefaultColumnFamily(), key,
                                 operands_.data(), &room, &count_);
  }

  DB* const db_;
  const ReadOptions options_;
  std::vector<PinnableSlice> operands_;
  int count_ = 0;
};

// Numbers, ascending and separated by commas.
bool ListHas(const Slice& list, uint64_t number) {
  std::vector<uint64_t> numbers;
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    uint64_t parsed = 0;
    const auto [stop, error] = std::from_chars(at, end, parsed);
    if (error != std::errc()) {
      Die("getmergeoperands", Status::Corruption("not a list of numbers"));
    }
    numbers.push_back(parsed);
    at = stop == end ? end : stop + 1;
  }
  return std::binary_search(numbers.begin(), numbers.end(), number);
}

class ListLookups {
 public:
  ListLookups(const Bench& bench, ThreadState* thread)
      : db_(bench.db()),
        thread_(thread),
        clock_(bench.clock()),
        reads_(bench.read_options()),
        lists_(std::clamp<uint64_t>(bench.settings().num / kNumbersPerList, 1,
                                    kListsMax)),
        operands_(db_, reads_, static_cast<size_t>(lists_)) {}

  // Half of the numbers below a limit.
  void Insert(const WriteOptions& options) {
    Check(db_->Delete(options, kKey));
    for (uint64_t i = 0; i < lists_; ++i) {
      std::vector<uint64_t> numbers(kNumbersPerList);
      for (uint64_t& number : numbers) {
        number = thread_->random.Uniform(Limit());
      }
      std::sort(numbers.begin(), numbers.end());
      std::string list;
      for (const uint64_t number : numbers) {
        if (!list.empty()) list.push_back(',');
        list += std::to_string(number);
      }
      Check(db_->Merge(options, kKey, list));
    }
  }

  void RunOne() {
    const uint64_t number = thread_->random.Uniform(Limit());
    uint64_t start = clock_->NowMicros();
    const bool by_get = IsInMerged(number);
    get_micros_ += clock_->NowMicros() - start;
    thread_->stats.FinishedOps(db_, 1, OpType::kRead);
    start = clock_->NowMicros();
    const bool by_operands = IsInOperands(number);
    operand_micros_ += clock_->NowMicros() - start;
    thread_->stats.FinishedOps(db_, 1, OpType::kOther);
    if (by_get != by_operands) {
      Die("getmergeoperands",
          Status::Corruption("the operands are not those that Get merges"));
    }
    found_ += by_get ? 1 : 0;
    ++lookups_;
  }

  void AddMessage() {
    const auto lookups = static_cast<double>(std::max<uint64_t>(lookups_, 1));
    char message[200];
    std::snprintf(message, sizeof(message),
                  "(%llu of %llu found; per lookup by Get %.1f micros, by "
                  "GetMergeOperands %.1f micros)",
                  static_cast<unsigned long long>(found_),
                  static_cast<unsigned long long>(lookups_),
                  static_cast<double>(get_micros_) / lookups,
                  static_cast<double>(operand_micros_) / lookups);
    thread_->stats.AddMessage(message);
  }

 private:
  static constexpr char kKey[] = "getmergeoperands";

  static void Check(const Status& status) {
    if (!status.ok()) Die("getmergeoperands", status);
  }

  uint64_t Limit() const { return 2 * lists_ * kNumbersPerList; }

  bool IsInMerged(uint64_t number) {
    merged_.Reset();
    Check(db_->Get(reads_, db_->DefaultColumnFamily(), kKey, &merged_));
    return ListHas(merged_, number);
  }

  bool IsInOperands(uint64_t number) {
    Check(operands_.Read(kKey));
    for (size_t i = 0; i < operands_.count(); ++i) {
      if (ListHas(operands_.operand(i), number)) return true;
    }
    return false;
  }

  DB* const db_;
  ThreadState* const thread_;
  SystemClock* const clock_;
  const ReadOptions reads_;
  const uint64_t lists_;
  OperandReader operands_;
  PinnableSlice merged_;
  uint64_t lookups_ = 0;
  uint64_t found_ = 0;
  uint64_t get_micros_ = 0;
  uint64_t operand_micros_ = 0;
};

}  // namespace

void ReadRandomOperands(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  KeyMaker keys(bench.key_shape());
  OperandReader operands(bench.db(), bench.read_options(), kOperandsAtFirst);
  uint64_t reads = 0;
  uint64_t found = 0;
  thread->stats.StartOp();
  for (; !duration.Done(1); ++reads) {
    const Slice key = keys.Make(thread->random.Uniform(bench.settings().num));
    const Status read = operands.Read(key);
    if (!read.ok() && !read.IsNotFound()) {
      Die("GetMergeOperands returned an error", read);
    }
    for (size_t i = 0; read.ok() && i < operands.count(); ++i) {
      thread->stats.AddBytes(operands.operand(i).size());
    }
    found += read.ok() ? 1 : 0;
    thread->stats.FinishedOps(bench.db(), 1, OpType::kRead);
  }
  char message[100];
  std::snprintf(message, sizeof(message), "(%llu of %llu found)",
                static_cast<unsigned long long>(found),
                static_cast<unsigned long long>(reads));
  thread->stats.AddMessage(message);
}

void CompareMergeOperands(const Bench& bench, ThreadState* thread) {
  ListLookups lookups(bench, thread);
  lookups.Insert(bench.write_options());
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    std::min(bench.settings().reads, kLookupsMax),
                    bench.clock());
  thread->stats.StartOp();
  while (!duration.Done(1)) lookups.RunOne();
  lookups.AddMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
