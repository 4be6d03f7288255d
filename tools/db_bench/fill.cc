// fillseq, fillbatch, fillrandom, filluniquerandom, fillsync, fill100K,
// overwrite, fillseekseq: put the keys of the database in some order, and now
// and then delete a range of them (--writes_per_range_tombstone).

#include <algorithm>
#include <memory>

#include "tools/db_bench/flags.h"
#include "tools/db_bench/workloads.h"
#include "tools/db_bench/writer.h"

namespace ROCKSDB_NAMESPACE::bench {

namespace {

// Deletes ranges between the writes of one thread.
class RangeDeleter {
 public:
  RangeDeleter(const Bench& bench, ThreadState* thread)
      : bench_(bench),
        thread_(thread),
        options_(bench.write_options()),
        every_(static_cast<uint64_t>(FLAGS_writes_per_range_tombstone)),
        left_(every_ == 0
                  ? 0
                  : static_cast<uint64_t>(FLAGS_max_num_range_tombstones)),
        next_(static_cast<uint64_t>(FLAGS_writes_before_delete_range) + every_),
        begins_(bench.key_shape()),
        ends_(bench.key_shape()) {}

  // The thread has written so many entries.
  void DeleteAfter(uint64_t written) {
    if (left_ == 0 || written < next_) return;
    for (; left_ > 0 && written >= next_; --left_, next_ += every_) Delete();
    thread_->stats.StartOp();
  }

 private:
  void Delete() {
    const auto width = static_cast<uint64_t>(FLAGS_range_tombstone_width);
    const uint64_t num = bench_.settings().num;
    const uint64_t first =
        num > width ? thread_->random.Uniform(num - width) : 0;
    const Target& target = bench_.PickTarget(&thread_->random);
    ColumnFamilyHandle* const family = target.PickFamily(&thread_->random);
    batch_.Clear();
    if (FLAGS_expand_range_tombstones) {
      for (uint64_t number = first; number < first + width; ++number) {
        Check(batch_.Delete(family, begins_.Make(number)));
      }
    } else {
      Check(batch_.DeleteRange(family, begins_.Make(first),
                               ends_.Make(first + width)));
    }
    Check(target.db->Write(options_, &batch_));
  }

  static void Check(const Status& status) {
    if (!status.ok()) Die("range deletion", status);
  }

  const Bench& bench_;
  ThreadState* const thread_;
  const WriteOptions options_;
  const uint64_t every_;
  uint64_t left_;
  uint64_t next_;
  KeyMaker begins_;
  KeyMaker ends_;
  WriteBatch batch_;
};

void Fill(KeyOrder::Kind kind, const Bench& bench, ThreadState* thread) {
  const WorkloadSettings& s = bench.settings();
  // Only a random order can go on for as long as one likes.
  const auto seconds =
      static_cast<uint64_t>(kind == KeyOrder::kRandom ? FLAGS_duration : 0);
  Duration duration(seconds, s.writes, bench.clock());
  KeyOrder order(kind, s.num, &thread->random);
  order.SetOverwrites(FLAGS_overwrite_probability, FLAGS_overwrite_window_size);
  Writer writer(bench, thread);
  RangeDeleter deleter(bench, thread);
  FamilyChoice& families = bench.family_choice();
  const uint64_t per_stage = s.writes / families.stages() + 1;
  uint64_t written = 0;
  thread->stats.StartOp();
  while (!duration.Done(s.entries_per_batch)) {
    families.Reach(written / per_stage);
    writer.WriteBatchOf(s.entries_per_batch, &order);
    written += s.entries_per_batch;
    deleter.DeleteAfter(written);
  }
}

}  // namespace

void FillSequential(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kSequential, bench, thread);
}

// Then seeks to each of them.
void FillSeekSequential(const Bench& bench, ThreadState* thread) {
  FillSequential(bench, thread);
  const std::unique_ptr<Iterator> it(
      bench.db()->NewIterator(bench.read_options()));
  KeyMaker keys(bench.key_shape());
  const uint64_t written =
      std::min(bench.settings().num, bench.settings().writes);
  thread->stats.StartOp();
  for (uint64_t number = 0; number < written; ++number) {
    const Slice key = keys.Make(number);
    it->Seek(key);
    if (!it->Valid() || it->key() != key) {
      Die("fillseekseq", it->status().ok()
                             ? Status::Corruption("a key is not there")
                             : it->status());
    }
    for (int i = 0; i < FLAGS_seek_nexts && it->Valid(); ++i) it->Next();
    thread->stats.AddBytes(it->Valid() ? it->key().size() : 0);
    thread->stats.FinishedOps(bench.db(), 1, OpType::kSeek);
  }
}

void FillRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kRandom, bench, thread);
}

void FillUniqueRandom(const Bench& bench, ThreadState* thread) {
  Fill(KeyOrder::kUniqueRandom, bench, thread);
}

}  // namespace ROCKSDB_NAMESPACE::bench
