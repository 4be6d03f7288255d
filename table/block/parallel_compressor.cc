#include "table/block/parallel_compressor.h"

#include <algorithm>
#include <cassert>
#include <new>
#include <utility>

#include "table/internal_key.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

// More would only wait for each other's turn.
constexpr size_t kThreadsMax = 64;

}  // namespace

ParallelCompressor::ParallelCompressor(size_t threads, Work work)
    : threads_wanted_(std::min(threads, kThreadsMax)), work_(std::move(work)) {}

ParallelCompressor::~ParallelCompressor() {
  {
    MutexLock lock(&mu_);
    stop_ = true;
    untaken_.clear();
    changed_.SignalAll();
  }
  for (std::thread& thread : threads_) thread.join();
}

void ParallelCompressor::StartThreads() {
  if (!threads_.empty()) return;
  threads_.reserve(threads_wanted_);
  for (size_t i = 1; i < threads_wanted_; ++i) {
    std::thread thread;
    // Fewer, then; the caller's own thread is always there.
    if (!StartThread(&thread, [this] { Run(); }).ok()) return;
    threads_.push_back(std::move(thread));
  }
}

void ParallelCompressor::Do(Item* item) const {
  assert(item->taken && !item->done);
  try {
    work_(&item->block);
  } catch (const std::bad_alloc&) {
    item->block.prepared = PreparedBlock();
  }
}

void ParallelCompressor::Run() {
  MutexLock lock(&mu_);
  for (;;) {
    while (untaken_.empty() && !stop_) changed_.Wait(&mu_);
    if (untaken_.empty()) return;
    Item* const item = untaken_.front();
    untaken_.pop_front();
    item->taken = true;
    mu_.Unlock();
    Do(item);
    mu_.Lock();
    item->done = true;
    changed_.SignalAll();
  }
}

// Stored plain, with a trailer, what its index entry and its keys' share of a
// filter can take.
uint64_t ParallelCompressor::BytesMax(const Block& block) {
  constexpr uint64_t kAround = 256;
  constexpr uint64_t kFilterBytesPerKey = 16;
  return block.payload.size() + 3 * block.last_key.size() + kAround +
         kFilterBytesPerKey * (block.payload.size() / kTrailerSize);
}

void ParallelCompressor::Push(Block block) {
  StartThreads();
  pending_bytes_max_ += BytesMax(block);
  queue_.push_back(std::make_unique<Item>());
  Item* const item = queue_.back().get();
  item->block = std::move(block);
  MutexLock lock(&mu_);
  untaken_.push_back(item);
  changed_.SignalAll();
}

const ParallelCompressor::Block& ParallelCompressor::Front() {
  assert(!queue_.empty());
  Item* const item = queue_.front().get();
  MutexLock lock(&mu_);
  if (!item->taken) {
    assert(untaken_.front() == item);
    // The oldest block of all is also the oldest that no thread has taken.
    untaken_.pop_front();
    item->taken = true;
    mu_.Unlock();
    Do(item);
    mu_.Lock();
    item->done = true;
  }
  while (!item->done) changed_.Wait(&mu_);
  return item->block;
}

void ParallelCompressor::Pop() {
  assert(!queue_.empty() && queue_.front()->done);
  assert(pending_bytes_max_ >= BytesMax(queue_.front()->block));
  pending_bytes_max_ -= BytesMax(queue_.front()->block);
  queue_.pop_front();
}

}  // namespace ROCKSDB_NAMESPACE::engine
