// A countdown ends in whatever order the steps of its threads happen. Every
// order is tried, in one thread; then real threads sleep and wake.

#include "db/write/countdown.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "db/write/writer_queue.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {
namespace {

// A sequence of choices. Next() goes to another sequence, until all were tried.
class Choices {
 public:
  // Returns a number below `possible`.
  size_t Choose(size_t possible) {
    if (at_ == made_.size()) made_.push_back({0, possible});
    return made_[at_++].taken;
  }
  // False: there is no other sequence.
  bool Next() {
    while (!made_.empty() && made_.back().taken + 1 == made_.back().possible) {
      made_.pop_back();
    }
    if (made_.empty()) return false;
    ++made_.back().taken;
    at_ = 0;
    return true;
  }

 private:
  struct Choice {
    size_t taken;
    size_t possible;
  };
  std::vector<Choice> made_;
  size_t at_ = 0;
};

// The threads that do the work. Before each step of the waiter they take some
// steps of theirs: one of them is done, or a wake that was sent arrives.
class Workers {
 public:
  Workers(Choices* choices, int count) : choices_(choices), working_(count) {}

  template <typename Done>
  void BeforeAStep(const Done& done) {
    while (Possible() > 0 && choices_->Choose(Possible() + 1) > 0) Take(done);
  }
  // The waiter sleeps. False: no wake will ever come.
  template <typename Done>
  bool WakeTheWaiter(const Done& done) {
    const int before = arrived_;
    while (arrived_ == before) {
      if (Possible() == 0) return false;
      Take(done);
    }
    return true;
  }
  void SendWake() { ++sent_; }
  bool AllDone() const { return working_ == 0; }

 private:
  size_t Possible() const { return (working_ > 0) + (sent_ > arrived_); }
  template <typename Done>
  void Take(const Done& done) {
    const bool wake =
        sent_ > arrived_ && (working_ == 0 || choices_->Choose(2) == 0);
    if (wake) {
      ++arrived_;
    } else {
      --working_;
      done();
    }
  }

  Choices* const choices_;
  int working_;
  int sent_ = 0;
  int arrived_ = 0;
};

// What one order of steps amounts to.
struct Order {
  Workers* workers = nullptr;
  CountdownOn<class ScriptedWord>* countdown = nullptr;
  bool slept = false;
  bool slept_for_ever = false;
};
Order* order = nullptr;

class ScriptedWord {
 public:
  uint32_t Load() const {
    Others();
    return order->slept_for_ever ? 0 : value_;  // Ends the waiter's loop.
  }
  void Add(uint32_t n) { value_ += n; }
  uint32_t Subtract(uint32_t n) {
    value_ -= n;
    return value_ + n;
  }
  void SetBits(uint32_t bits) {
    Others();
    value_ |= bits;
  }
  void Sleep(uint32_t expected) {
    Others();
    if (value_ != expected) return;
    order->slept = true;
    order->slept_for_ever = !order->workers->WakeTheWaiter(Done);
  }
  void Wake() { order->workers->SendWake(); }

 private:
  static void Done() { order->countdown->Done(); }
  static void Others() { order->workers->BeforeAStep(Done); }

  uint32_t value_ = 0;
};

// countdown.h (1).
TEST(Countdown, EndsInEveryOrderOfItsSteps) {
  for (int count = 1; count <= 3; ++count) {
    SCOPED_TRACE(std::to_string(count) + " workers");
    Choices choices;
    int orders = 0, sleeps = 0;
    do {
      Workers workers(&choices, count);
      CountdownOn<ScriptedWord> countdown;
      Order this_order{&workers, &countdown};
      order = &this_order;
      for (int i = 0; i < count; ++i) countdown.Add();
      countdown.Sleep();
      ASSERT_FALSE(this_order.slept_for_ever) << "order " << orders;
      ASSERT_TRUE(workers.AllDone()) << "order " << orders;
      ++orders;
      sleeps += this_order.slept;
    } while (choices.Next());
    EXPECT_LT(count * 3, orders);
    EXPECT_LT(0, sleeps);
    EXPECT_LT(sleeps, orders);
  }
}

TEST(Countdown, EndsWhenWorkIsTakenBack) {
  WaitPolicy policy(0, 0, SystemClock::Default().get());
  Countdown countdown;
  countdown.Add();
  EXPECT_FALSE(countdown.IsZero());
  countdown.TakeBack();
  EXPECT_TRUE(countdown.IsZero());
  policy.AwaitZero(&countdown);
}

TEST(Countdown, WakesTheThreadThatSleeps) {
  WaitPolicy policy(0, 0, SystemClock::Default().get());
  for (int round = 0; round < 100; ++round) {
    Countdown countdown;
    countdown.Add();
    std::thread worker([&countdown] {
      // Long enough for the other to sleep, on most machines.
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      countdown.Done();
    });
    policy.AwaitZero(&countdown);
    EXPECT_TRUE(countdown.IsZero());
    worker.join();
  }
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::engine
