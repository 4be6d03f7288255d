// ScanWatch: notices scans that pass many entries of the memtable being written
// without showing them, and has it flushed: in a file they are dropped.
//
// Place. Between the memtable's iterator, whose steps it counts, and the
// DbIterator, which says where its own steps end. Made only when
// memtable_op_scan_flush_trigger asks for it.
//
// Threads. One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "table/internal_iterator.h"

namespace ROCKSDB_NAMESPACE::engine {

class ScanWatch {
 public:
  struct Limits {
    uint64_t of_step = 0;     // Hidden entries that one Seek or Next passes.
    uint64_t of_average = 0;  // That it passes on average, once it is
                              // `of_step` altogether; 0: any.
  };
  // `flush` is called once.
  ScanWatch(const Limits& limits, std::function<void()> flush)
      : limits_(limits), flush_(std::move(flush)) {}
  ~ScanWatch() { JudgeAverage(); }
  ScanWatch(const ScanWatch&) = delete;
  ScanWatch& operator=(const ScanWatch&) = delete;

  // Takes `iter`. The caller owns the result, which the watch must outlive.
  InternalIterator* Watch(InternalIterator* iter);

  // Of the user's iterator. A step forward leaves the entry shown before: it
  // was not hidden, wherever it came from.
  void EndSeek();
  void EndNext();
  void EndPrev() { passed_ = 0; }

 private:
  class Counter;

  void Judge(uint64_t hidden);
  void JudgeAverage();
  void Flush();

  const Limits limits_;
  const std::function<void()> flush_;
  uint64_t passed_ = 0;  // In the present step.
  uint64_t hidden_ = 0;  // Since the last seek.
  uint64_t steps_ = 0;
  bool flushed_ = false;
};

}  // namespace ROCKSDB_NAMESPACE::engine
