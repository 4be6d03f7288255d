// IoDiskPolicy: divides a disk's throughput among the classes of requests.
//
// Place. One of the two policies of env/io_scheduler_core; the other bounds
// what a database's own jobs write. Shared by all databases of a scheduler.
//
// Model. A disk serves in each second
//
//   b_r/B_r + b_w/B_w + o_r/O_r + o_w/O_w <= K
//
// (b: bytes, o: operations; B, O: the most that it serves of that kind alone.)
// So a request costs disk time: bytes/B + operations/O. A bucket of disk time
// fills with K seconds per second:
//
//   classes with shares --> the one that had least goes first --> bucket --> go
//       log    |a b|          (virtual time: cost / shares)
//       reads  |c d e|
//       debt   |f|                             flow = dispatched / completed
//                                              > 1: requests cost that much
//                                              more
//
// Threads that are to ask again at a time wake later: by a tenth of a
// millisecond, or by several milliseconds if the processors are busy. A bucket
// that is full meanwhile would lose that time for the disk, so while requests
// wait it has room for twice what threads are late on average. Each counts for
// 4 ms at most, and the bucket holds no more than what may be inside the disk
// before costs rise.
//
// A class that was idle starts at the virtual time of the active classes: its
// first request goes first, and idle time earns nothing.
//
// The flow ratio is averaged over 100 ms. It raises costs when the disk falls
// behind, as in a collection of its garbage; it never lowers them. Costs also
// rise while a queue persists inside the disk, as when the profile promises one
// percent too much.
//
// A profile may promise too little. After the bucket has been short for a
// second, the policy therefore runs a trial: for 500 ms it grants 1.5 times
// what the profile says of one kind alone (or 1.5 x K, if that is more), but no
// more than the part of it that the user allows; a part that is too small to
// show anything has no trials. If the disk serves more than before, `trust`
// grows to that ratio and the next trial follows at once. If not, or if
// requests pile up in the disk, the trial ends, and the next one follows after
// a minute, then after two minutes, and so on. A profile that promises too much
// holds no request back, and the disk is as busy as without a scheduler.
//
// Many disks serve reads next to writes, or bytes next to operations, at a sum
// above K: they are slower then, not faster. So a trial counts only if a single
// term of the sum grows, and runs only while one term makes up most of the
// cost.
//
// Invariants:
//   (1) Over any time t, the dispatched requests cost at most K x trust x t
//       plus one full bucket, with what threads that wake late add to it, not
//       counting those let through; during a trial 1.5 x part x max(1, K) x
//       trust x t and that bucket.
//   (2) A class that waits gets at least its part of the shares, and at least
//       one request goes every 100 ms, however many others were let through.
//       What a class was let through, however much it was, takes no more from
//       its next turns than the disk gives to its share in 10 ms. The bucket is
//       charged for all of it, so its next request may wait for that, as those
//       of all classes do, until the 100 ms are over.
//   (3) A time that goes backwards neither removes nor adds disk time.
//   (4) A disk without K or bandwidth delays no request.
//
// Source: the model is that of ScyllaDB's scheduler; the queue is start-time
// fair queueing.
//
// Threads. The owner locks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "env/io_request.h"

namespace ROCKSDB_NAMESPACE::engine {

struct IoDisk {
  uint64_t read_bytes_per_second = 0;
  uint64_t write_bytes_per_second = 0;
  uint64_t read_ops_per_second = 0;
  uint64_t write_ops_per_second = 0;
  double k = 0;
  // Of its capacity, what may be used: trials keep to it, too.
  double part = 1;

  bool usable() const {
    return k > 0 && read_bytes_per_second > 0 && write_bytes_per_second > 0 &&
           read_ops_per_second > 0 && write_ops_per_second > 0;
  }
};

using IoShares = std::array<uint32_t, kIoClasses>;

// Clients wait for syncs of logs and for their reads, so these come first.
inline constexpr IoShares kDefaultIoShares = {
    /*flush=*/800, /*runs=*/400,   /*debt=*/200,   /*maintenance=*/50,
    /*log=*/1000,  /*reads=*/1000, /*backups=*/50,
};

class IoDiskPolicy {
 public:
  static constexpr uint64_t kFlowMicros = uint64_t{100} * 1000;
  static constexpr double kFlowMax = 8;
  // Requests are split so that each takes the disk for at most this long.
  static constexpr uint64_t kSplitMicros = 2000;
  static constexpr uint64_t kSplitBytesMin = 64 << 10;
  static constexpr uint64_t kSplitBytesMax = 1 << 20;
  static constexpr uint32_t kSplitReadsMin = 4;
  // Trials: see above.
  static constexpr uint64_t kTrialAfterMicros = uint64_t{1000} * 1000;
  static constexpr uint64_t kTrialMicros = uint64_t{500} * 1000;
  static constexpr uint64_t kTrialPauseMicros = uint64_t{60} * 1000 * 1000;
  static constexpr double kTrialStep = 1.5;
  static constexpr double kTrustMax = 8;
  // A waiter that is not next asks again after this time.
  static constexpr uint64_t kPatienceMicros = uint64_t{50} * 1000;
  // After this time one request goes even if the bucket is empty.
  static constexpr uint64_t kHoldMicrosMax = uint64_t{100} * 1000;

  // A request that waits. Owned by the caller; known here while it waits.
  struct Waiter {
    IoClass io_class = IoClass::kDebt;
    IoRequest request;

   private:
    friend class IoDiskPolicy;
    bool queued_ = false;
    IoClass queued_as_ = IoClass::kDebt;
    uint64_t cost_ = 0;
    uint64_t since_micros_ = 0;
    uint64_t due_micros_ = 0;  // When it was told to ask again, or 0.
  };

  void SetDisk(const IoDisk& disk, const IoShares& shares, uint64_t now_micros);
  const IoDisk& disk() const { return disk_; }
  bool active() const { return active_; }

  // Nanoseconds of the disk's time.
  uint64_t Cost(const IoRequest& request) const;
  // The largest request to make.
  uint64_t SplitBytes(IoKind kind) const;
  // The most reads to start at once.
  uint32_t SplitReads() const;

  // Whether the request may go. If so, its cost is taken and it is forgotten.
  IoAnswer Ask(Waiter* waiter, uint64_t now_micros);
  // The request goes at once; its cost delays the others.
  void LetThrough(Waiter* waiter, uint64_t now_micros);
  // The waiter that goes next; null if none waits.
  Waiter* Next() const;

  // A request that went is done.
  void Complete(const IoRequest& request, uint64_t now_micros);
  // A cache served the request, not the disk: gives back its cost.
  void Refund(IoClass io_class, const IoRequest& request, uint64_t now_micros);

  double flow() const { return flow_; }
  // The disk has served so many times its profile.
  double trust() const { return trust_; }
  size_t waiting() const;

 private:
  struct Class {
    std::deque<Waiter*> queue;
    uint64_t start = 0;  // Virtual time at which its next request starts.
    uint64_t shares = 1;
  };
  enum class Trial : uint8_t { kNone, kRunning };

  Class& Of(IoClass io_class) {
    return classes_[static_cast<size_t>(io_class)];
  }
  double BytesTerm(const IoRequest& request) const;
  double OperationsTerm(const IoRequest& request) const;
  void Refill(uint64_t now_micros);
  void Join(Waiter* waiter, uint64_t now_micros);
  void Forget(Waiter* waiter);
  // The cost, raised by the flow ratio.
  int64_t CostNow(uint64_t cost) const;
  void NoteWakeUp(const Waiter& waiter, uint64_t now_micros);
  int64_t Room() const;
  // More cost than this inside the disk is a queue.
  double InsideMax() const;
  uint64_t ReadyAt(const Waiter& waiter, uint64_t now_micros) const;
  void Take(Waiter* waiter);
  void UpdateFlow(uint64_t now_micros);
  void UpdateTrial(uint64_t now_micros);
  void EndTrial(double served, uint64_t now_micros);
  void RestartWindow(uint64_t now_micros);
  // What requests of one kind alone may be granted, times the trust.
  double Alone() const;
  bool TrialCanShowMore() const;
  double Rate() const;

  IoDisk disk_;
  bool active_ = false;
  std::array<Class, kIoClasses> classes_;
  uint64_t virtual_time_ = 0;
  uint64_t granted_micros_ = 0;  // When the last one went that had asked.

  // Nanoseconds of disk time.
  int64_t tokens_ = 0;
  int64_t capacity_ = 0;
  uint64_t refilled_micros_ = 0;
  double late_micros_ = 0;  // Of threads that were to ask again, on average.

  // Averages of the cost of requests that went and that are done.
  double dispatched_ = 0;
  double completed_ = 0;
  double inside_ = 0;  // Cost of requests that are not done.
  double flow_ = 1;
  uint64_t flow_micros_ = 0;

  // Trials, over a window of time.
  Trial trial_ = Trial::kNone;
  double trust_ = 1;
  uint64_t window_micros_ = 0;  // It began.
  // Completed in it, of what reaches the disk: each term of the sum.
  std::array<double, 2 * kIoKinds> window_terms_{};
  double window_all_cost_ = 0;  // Completed in it.
  uint64_t pause_micros_ = kTrialPauseMicros;
  uint64_t next_trial_micros_ = 0;
};

}  // namespace ROCKSDB_NAMESPACE::engine
