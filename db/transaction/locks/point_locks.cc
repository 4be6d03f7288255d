#include "db/transaction/locks/point_locks.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "db/transaction/locks/lock_mutex.h"
#include "rocksdb/system_clock.h"
#include "util/hash.h"
#include "util/perf_context.h"
#include "util/result.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

struct KeyHash {
  size_t operator()(const std::string& key) const { return Hash64(key); }
};

Status NoFamily(uint32_t family) {
  return Status::InvalidArgument(
      "column family " + std::to_string(family) + " does not exist",
      "its locks went when it was dropped");
}

// Keeps the mutex of a stripe.
class StripeLock {
 public:
  explicit StripeLock(TransactionDBMutex* mutex)
      : mutex_(mutex), status_(mutex->Lock()) {}
  ~StripeLock() {
    if (status_.ok()) mutex_->UnLock();
  }
  StripeLock(const StripeLock&) = delete;
  StripeLock& operator=(const StripeLock&) = delete;
  const Status& status() const { return status_; }

 private:
  TransactionDBMutex* const mutex_;
  const Status status_;
};

}  // namespace

struct PointLocks::Key {
  struct Holder {
    TransactionID id = 0;
    uint64_t expires_at_micros = 0;  // 0: never.
  };

  bool exclusive = false;
  std::vector<Holder> holders;
  uint32_t waiting = 0;
  std::shared_ptr<TransactionDBCondVar> released;  // Null: never waited for.

  std::vector<Holder>::iterator Find(TransactionID id) {
    return std::find_if(holders.begin(), holders.end(),
                        [id](const Holder& holder) { return holder.id == id; });
  }
  KeyLockInfo Info(const std::string& name) const {
    KeyLockInfo info;
    info.key = name;
    info.exclusive = exclusive;
    for (const Holder& holder : holders) info.ids.push_back(holder.id);
    return info;
  }
};

struct PointLocks::Stripe {
  std::shared_ptr<TransactionDBMutex> mutex;
  std::unordered_map<std::string, Key, KeyHash> keys;
};

struct PointLocks::Table {
  std::vector<Stripe> stripes;
  std::atomic<bool> removed{false};
  std::atomic<int64_t> num_locks{0};

  Stripe& StripeOf(const std::string& key) {
    // The low bits choose the bucket of the map.
    return stripes[(Hash64(key) >> 32) % stripes.size()];
  }
};

// One call of Lock().
class PointLocks::Attempt {
 public:
  Attempt(PointLocks* locks, Table* table, LockOwner* owner, uint32_t family,
          const std::string& key, bool exclusive)
      : locks_(locks),
        table_(table),
        stripe_(&table->StripeOf(key)),
        owner_(owner),
        family_(family),
        key_(key),
        exclusive_(exclusive) {}

  Status Run() {
    const StripeLock lock(stripe_->mutex.get());
    RETURN_IF_ERROR(lock.status());
    Status status = Take();
    if (status.ok() || blocked_by_.empty()) return status;
    if (owner_->timeout_micros == 0) return Status::TimedOut(kTimeout);
    return Await();
  }

 private:
  static constexpr Status::SubCode kTimeout = Status::SubCode::kLockTimeout;

  // With `blocked_by_` empty, an error is final.
  Status Take() {
    blocked_by_.clear();
    if (table_->removed.load(std::memory_order_relaxed)) {
      return NoFamily(family_);
    }
    const auto [at, is_new] = stripe_->keys.try_emplace(key_);
    Key* const key = &at->second;
    const Unused unused(this, key);
    assert(!key->exclusive || key->holders.size() <= 1);  // (2)
    const bool mine = key->Find(owner_->id) != key->holders.end();
    if (mine && (key->exclusive || !exclusive_)) return Status::OK();
    if (key->exclusive || exclusive_) {
      TakeFromExpired(key);
      NoteOthers(*key);
      if (!blocked_by_.empty()) return Status::TimedOut(kTimeout);
    }
    return Hold(key);
  }

  Status Hold(Key* key) {
    const bool is_first = key->holders.empty();
    if (key->Find(owner_->id) == key->holders.end()) {
      key->holders.push_back({owner_->id, owner_->expires_at_micros});
    }
    if (is_first && !Count()) {
      key->holders.clear();
      return Status::Busy(Status::SubCode::kLockLimit);
    }
    key->exclusive = exclusive_;
    assert(!exclusive_ || key->holders.size() == 1);  // (2)
    return Status::OK();
  }

  // False: there are too many.
  bool Count() {
    const int64_t before =
        table_->num_locks.fetch_add(1, std::memory_order_relaxed);
    if (locks_->max_num_locks_ <= 0 || before < locks_->max_num_locks_) {
      return true;
    }
    table_->num_locks.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }

  void TakeFromExpired(Key* key) {
    const uint64_t now = locks_->deps_.clock->NowMicros();
    const auto gone = std::remove_if(
        key->holders.begin(), key->holders.end(),
        [this, now](const Key::Holder& holder) {
          return holder.id != owner_->id && holder.expires_at_micros != 0 &&
                 holder.expires_at_micros <= now &&
                 locks_->deps_.take_from_expired(holder.id);
        });
    if (gone == key->holders.end()) return;
    key->holders.erase(gone, key->holders.end());
    if (key->holders.empty()) locks_->Uncount(table_);
  }

  void NoteOthers(const Key& key) {
    for (const Key::Holder& holder : key.holders) {
      if (holder.id != owner_->id) blocked_by_.push_back(holder.id);
    }
  }

  // Until the lock is taken or the time is over.
  Status Await() {
    assert(!blocked_by_.empty());
    SystemClock* const clock = locks_->deps_.clock;
    const bool forever = owner_->timeout_micros < 0;
    const uint64_t end =
        clock->NowMicros() + static_cast<uint64_t>(owner_->timeout_micros);
    Key* const key = &stripe_->keys.at(key_);  // Stays: it is waited for.
    if (key->released == nullptr) {
      key->released = locks_->mutexes_->AllocateCondVar();
    }
    const Waiting waiting(this, key);
    for (;;) {
      const uint64_t now = clock->NowMicros();
      if (!forever && now >= end) return Status::TimedOut(kTimeout);
      Status status = Sleep(*key, forever ? UINT64_MAX : end - now);
      if (!status.ok() && !status.IsTimedOut()) return status;
      status = Take();
      if (status.ok() || blocked_by_.empty()) return status;
    }
  }

  // Once: until something changes, `micros` are over, or a holder expires.
  Status Sleep(const Key& key, uint64_t micros) {
    const WaitMark mark(this);
    if (owner_->detects_deadlocks) {
      const WaitGraph::Wait wait{blocked_by_, family_, key_, exclusive_};
      if (!locks_->waits_.Add(owner_->id, wait, owner_->detection_depth,
                              NowSeconds())) {
        return Status::Busy(Status::SubCode::kDeadlock);
      }
    }
    owner_->waiting.Set(family_, key_, blocked_by_);
    micros = std::min(micros, MicrosToExpiry(key));
    const PerfTimer timer(locks_->deps_.clock,
                          &PerfContext::key_lock_wait_time);
    PerfAdd<&PerfContext::key_lock_wait_count>();
    const std::shared_ptr<TransactionDBCondVar> released = key.released;
    return micros == UINT64_MAX
               ? released->Wait(stripe_->mutex)
               : released->WaitFor(stripe_->mutex,
                                   static_cast<int64_t>(micros));
  }

  uint64_t MicrosToExpiry(const Key& key) const {
    // One that expired and did not give it up will release it, unless its
    // commit is refused.
    constexpr uint64_t kLookAgainMicros = 10'000;
    const uint64_t now = locks_->deps_.clock->NowMicros();
    uint64_t micros = UINT64_MAX;
    for (const Key::Holder& holder : key.holders) {
      if (holder.id == owner_->id || holder.expires_at_micros == 0) continue;
      micros = std::min(micros, holder.expires_at_micros > now
                                    ? holder.expires_at_micros - now
                                    : kLookAgainMicros);
    }
    return micros;
  }

  // At its end a key that is neither held nor waited for is forgotten. (1)
  class Unused {
   public:
    Unused(Attempt* attempt, Key* key) : attempt_(attempt), key_(key) {}
    ~Unused() {
      if (key_->holders.empty() && key_->waiting == 0) {
        attempt_->stripe_->keys.erase(attempt_->key_);
      }
    }
    Unused(const Unused&) = delete;
    Unused& operator=(const Unused&) = delete;

   private:
    Attempt* const attempt_;
    Key* const key_;
  };

  class Waiting {
   public:
    Waiting(Attempt* attempt, Key* key) : unused_(attempt, key), key_(key) {
      ++key_->waiting;
    }
    ~Waiting() { --key_->waiting; }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    const Unused unused_;  // Looks when this one is no longer counted.
    Key* const key_;
  };

  // What others see of a wait.
  class WaitMark {
   public:
    explicit WaitMark(Attempt* attempt) : attempt_(attempt) {}
    ~WaitMark() {
      LockOwner* const owner = attempt_->owner_;
      owner->waiting.Clear();
      if (owner->detects_deadlocks) attempt_->locks_->waits_.Remove(owner->id);
    }
    WaitMark(const WaitMark&) = delete;
    WaitMark& operator=(const WaitMark&) = delete;

   private:
    Attempt* const attempt_;
  };

  int64_t NowSeconds() const {
    int64_t now = 0;
    (void)locks_->deps_.clock->GetCurrentTime(&now);
    return now;
  }

  PointLocks* const locks_;
  Table* const table_;
  Stripe* const stripe_;
  LockOwner* const owner_;
  const uint32_t family_;
  const std::string& key_;
  const bool exclusive_;
  std::vector<TransactionID> blocked_by_;  // Why it was not taken.
};

PointLocks::PointLocks(const TransactionDBOptions& options, Deps deps)
    : max_num_locks_(options.max_num_locks),
      num_stripes_(std::max<size_t>(options.num_stripes, 1)),
      deps_(std::move(deps)),
      mutexes_(options.custom_mutex_factory != nullptr
                   ? options.custom_mutex_factory
                   : DefaultLockMutexFactory()),
      waits_(options.max_num_deadlocks) {}

PointLocks::~PointLocks() = default;

void PointLocks::AddFamily(uint32_t family) {
  auto table = std::make_shared<Table>();
  table->stripes.resize(num_stripes_);
  for (Stripe& stripe : table->stripes)
    stripe.mutex = mutexes_->AllocateMutex();
  const WriteLock lock(&families_mu_);
  families_.emplace(family, std::move(table));
}

void PointLocks::RemoveFamily(uint32_t family) {
  const std::shared_ptr<Table> table = Find(family);
  if (table == nullptr) return;
  {
    const WriteLock lock(&families_mu_);
    families_.erase(family);
  }
  table->removed.store(true, std::memory_order_relaxed);
  for (Stripe& stripe : table->stripes) {
    const StripeLock lock(stripe.mutex.get());
    for (auto& [key, entry] : stripe.keys) {
      if (entry.waiting > 0) entry.released->NotifyAll();
    }
  }
}

std::shared_ptr<PointLocks::Table> PointLocks::Find(uint32_t family) const {
  const ReadLock lock(&families_mu_);
  const auto found = families_.find(family);
  return found == families_.end() ? nullptr : found->second;
}

Status PointLocks::Lock(LockOwner* owner, uint32_t family,
                        const std::string& key, bool exclusive) {
  const std::shared_ptr<Table> table = Find(family);
  if (table == nullptr) return NoFamily(family);
  return Attempt(this, table.get(), owner, family, key, exclusive).Run();
}

void PointLocks::Unlock(TransactionID id, uint32_t family,
                        const std::string& key) {
  const std::shared_ptr<Table> table = Find(family);
  if (table == nullptr) return;
  Stripe& stripe = table->StripeOf(key);
  const StripeLock lock(stripe.mutex.get());
  const auto found = stripe.keys.find(key);
  if (found == stripe.keys.end()) return;
  Key& entry = found->second;
  const auto holder = entry.Find(id);
  if (holder == entry.holders.end()) return;
  assert(!entry.exclusive || entry.holders.size() == 1);  // (2)
  entry.holders.erase(holder);
  // One that is left may wait to make it exclusive.
  if (entry.waiting > 0) entry.released->NotifyAll();
  if (!entry.holders.empty()) return;
  Uncount(table.get());
  if (entry.waiting == 0) stripe.keys.erase(found);  // (1)
}

void PointLocks::Uncount(Table* table) {
  assert(table->num_locks.load(std::memory_order_relaxed) > 0);
  table->num_locks.fetch_sub(1, std::memory_order_relaxed);
}

std::unordered_multimap<uint32_t, KeyLockInfo> PointLocks::All() const {
  std::unordered_multimap<uint32_t, KeyLockInfo> result;
  std::vector<std::pair<uint32_t, std::shared_ptr<Table>>> tables;
  {
    const ReadLock lock(&families_mu_);
    tables.assign(families_.begin(), families_.end());
  }
  for (const auto& [family, table] : tables) {
    for (Stripe& stripe : table->stripes) {
      const StripeLock lock(stripe.mutex.get());
      for (const auto& [key, entry] : stripe.keys) {
        if (!entry.holders.empty()) result.emplace(family, entry.Info(key));
      }
    }
  }
  return result;
}

}  // namespace ROCKSDB_NAMESPACE::engine
