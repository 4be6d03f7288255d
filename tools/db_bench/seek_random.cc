// seekrandom: a fresh iterator sought to a random key and moved --seek_nexts
// times, inside --max_scan_distance if that is given. One that tails is kept.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/reader.h"
#include "tools/db_bench/workloads.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class Seeker {
 public:
  Seeker(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.read_options()),
        keys_(bench.key_shape()),
        bound_keys_(bench.key_shape()) {}

  void Seek(uint64_t number) {
    const Slice key = KeyOf(number);
    SetBound(number);
    if (kept_ == nullptr) {
      snapshot_ = SnapshotForIterator(bench_.db(), &options_);
      kept_.reset(bench_.db()->NewIterator(options_));
    }
    Iterator* const it = kept_.get();
    it->Seek(key);
    if (it->Valid() && it->key() == key) ++found_;
    // What a scan costs includes looking at the values.
    uint64_t bytes = 0;
    for (int i = 0; i < FLAGS_seek_nexts && it->Valid(); ++i) {
      const Slice value = it->value();
      bytes += it->key().size() + value.size();
      checksum_ = checksum_ + static_cast<unsigned char>(
                                  value.empty() ? 0 : value[value.size() - 1]);
      if (FLAGS_reverse_iterator) {
        it->Prev();
      } else {
        it->Next();
      }
    }
    if (!it->status().ok()) Die("iterator", it->status());
    if (!options_.tailing) kept_.reset();
    ++seeks_;
    thread_->stats.AddBytes(bytes);
    thread_->stats.FinishedOps(bench_.db(), 1, OpType::kSeek);
    if (bench_.read_limiter() != nullptr && seeks_ % 256 == 255) {
      bench_.read_limiter()->Request(256, Env::IO_HIGH, nullptr,
                                     RateLimiter::OpType::kRead);
      thread_->stats.StartOp();
    }
  }

  void AddFoundMessage() {
    char message[100];
    std::snprintf(message, sizeof(message), "(%llu of %llu found)",
                  static_cast<unsigned long long>(found_),
                  static_cast<unsigned long long>(seeks_));
    thread_->stats.AddMessage(message);
  }

 private:
  // Where prefixes are longer than the number in them they end with '0'.
  Slice KeyOf(uint64_t number) {
    const Slice key = keys_.Make(number);
    if (!FLAGS_seek_missing_prefix) return key;
    missing_.assign(key.data(), key.size());
    missing_[8] = '1';
    return Slice(missing_);
  }

  void SetBound(uint64_t number) {
    if (FLAGS_max_scan_distance <= 0) return;
    const auto distance = static_cast<uint64_t>(FLAGS_max_scan_distance);
    const uint64_t num = bench_.settings().num;
    if (FLAGS_reverse_iterator) {
      bound_ = bound_keys_.Make(number > distance ? number - distance : 0);
      options_.iterate_lower_bound = &bound_;
    } else {
      bound_ = bound_keys_.Make(std::min(num, number + distance));
      options_.iterate_upper_bound = &bound_;
    }
  }

  const Bench& bench_;
  ThreadState* const thread_;
  ReadOptions options_;
  KeyMaker keys_;
  KeyMaker bound_keys_;
  Slice bound_;
  std::string missing_;
  std::unique_ptr<ManagedSnapshot> snapshot_;  // Of the iterator below.
  std::unique_ptr<Iterator> kept_;
  uint64_t seeks_ = 0;
  uint64_t found_ = 0;
  volatile unsigned checksum_ = 0;  // So that no read is optimised away.
};

}  // namespace

void SeekRandom(const Bench& bench, ThreadState* thread) {
  Duration duration(static_cast<uint64_t>(FLAGS_duration),
                    bench.settings().reads, bench.clock());
  Seeker seeker(bench, thread);
  thread->stats.StartOp();
  while (!duration.Done(1)) {
    seeker.Seek(thread->random.Uniform(bench.settings().num));
  }
  seeker.AddFoundMessage();
}

}  // namespace ROCKSDB_NAMESPACE::bench
