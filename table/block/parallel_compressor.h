// ParallelCompressor: blocks of one file on their way through several threads
// (CompressionOptions::parallel_threads).
//
// Place. Between a table builder, which pushes finished blocks and takes them
// back compressed, and the block writer, which alone touches the file.
//
// Model.  builder --Push--> [ a | b | c | d ] --Front/Pop--> writer
//                             ^   ^   ^ taken by whichever thread is free
//
// Blocks leave in the order in which they came. The thread that waits for the
// front block compresses it itself if no other thread has begun, so progress
// does not depend on other threads.
//
// Invariant: Push, Front and Pop depend only on the blocks, never on the speed
// of the threads; so do the bytes of the file.
//
// Threads. Push, Front and Pop by one thread; blocks are compressed in all of
// them.

#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "rocksdb/status.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

struct PreparedBlock {
  bool compressed = false;
  std::string bytes;  // If compressed.
  Status status;      // Of its verification.
};

class ParallelCompressor {
 public:
  struct Block {
    std::string payload;
    std::string last_key;
    PreparedBlock prepared;
  };
  // Fills `prepared`. Called by several threads at once. Without memory for it
  // the block stays plain.
  using Work = std::function<void(Block*)>;

  // `threads` > 1: the caller's own and others (at most 63), which start with
  // the first block.
  ParallelCompressor(size_t threads, Work work);
  // Waits for blocks being worked on; the others are dropped.
  ~ParallelCompressor();
  ParallelCompressor(const ParallelCompressor&) = delete;
  ParallelCompressor& operator=(const ParallelCompressor&) = delete;

  // Enough blocks for all threads are inside: take one out before the next.
  bool full() const { return queue_.size() >= 2 * threads_wanted_; }
  bool empty() const { return queue_.empty(); }
  void Push(Block block);
  // The oldest block, once it is done. REQUIRES: not empty.
  const Block& Front();
  void Pop();

  // At most what the blocks inside will add to the file and its index.
  uint64_t pending_bytes_max() const { return pending_bytes_max_; }

 private:
  struct Item {
    Block block;
    bool taken = false;
    bool done = false;
  };

  void Run();
  void Do(Item* item) const;
  void StartThreads();
  static uint64_t BytesMax(const Block& block);

  const size_t threads_wanted_;
  const Work work_;
  // Of the builder's thread; items stay where they are while they are inside.
  std::deque<std::unique_ptr<Item>> queue_;
  uint64_t pending_bytes_max_ = 0;
  std::vector<std::thread> threads_;

  Mutex mu_;
  CondVar changed_;
  std::deque<Item*> untaken_ GUARDED_BY(mu_);
  bool stop_ GUARDED_BY(mu_) = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
