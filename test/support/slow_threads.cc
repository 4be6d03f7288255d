// slow_threads: a shared object that makes threads late where it can matter.
//
// Place. Not linked to anything: `tools/dev test slow` has the loader put it
// before the other libraries (LD_PRELOAD) of every test and its children.
//
// Purpose. A test that gives something "a moment" passes until the machine is
// busy; an engine that loses a wake-up does so when two threads meet. Both
// show here on an idle machine.
//
// Model. pthread_mutex_lock, pthread_mutex_unlock, unlink and close do what
// they always do, but a slow thread sometimes sleeps before (after, for
// unlock); and it wakes late from a condition variable, when what it was woken
// for may be over. Environment variable RIVERSTONE_SLOW_SEED says how:
//
//   seed % 3      who is slow: 0 every thread but the main one; 1 the main
//                 one; 2 by lot: each thread is quick, hardly slow or slow
//   seed / 3 % 3  how: 0 seldom and long; 1 often and short; 2 every second
//                 time, so that the limit below is soon reached
//   the seed      the lots, by xorshift, for each thread a sequence of its own
//
// Without it, or with 0, nothing sleeps. A thread sleeps kSleepMax in all at
// most, so that long tests end. A seed repeats the lots, but not what the
// kernel does between them: what failed once may need several tries.
//
// Prints nothing: tests compare what programs print.
//
// Threads. Any.

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iterator>

namespace {

constexpr int64_t kMicros = 1000;  // In nanoseconds.
constexpr int64_t kSleepMax = int64_t{10} * 1000 * 1000 * kMicros;

enum class Pace { kUnknown, kQuick, kHardlySlow, kSlow };

// One sleep in so many chances, and one in so many of those is a long one.
struct Manner {
  uint64_t chances;         // Of a slow thread.
  uint64_t chances_hardly;  // Of one that is hardly slow.
  uint64_t sleeps_per_long;
  int64_t long_nanos;   // Each sleep is shorter than this,
  int64_t short_nanos;  // most are shorter than this.
};
constexpr Manner kSeldomAndLong = {40, 2000, 4, 30000 * kMicros,
                                   1500 * kMicros};
constexpr Manner kOftenAndShort = {5, 300, 3, 4000 * kMicros, 200 * kMicros};
constexpr Manner kEverySecond = {2, 20, 6, 15000 * kMicros, 1500 * kMicros};
constexpr Manner kManners[] = {kSeldomAndLong, kOftenAndShort, kEverySecond};

struct ThreadState {
  uint64_t random = 0;
  Pace pace = Pace::kUnknown;
  int64_t slept_nanos = 0;
};
thread_local ThreadState self;

uint64_t Seed() {
  static const uint64_t seed = [] {
    const char* text = std::getenv("RIVERSTONE_SLOW_SEED");
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
  }();
  return seed;
}

uint64_t Lot(uint64_t bound) {
  uint64_t& x = self.random;
  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  return (x * 0x2545F4914F6CDD1DULL >> 11) % bound;
}

// Not util/random.h: this must not need the library that it slows down.
void Begin(uint64_t seed) {
  static std::atomic<uint64_t> threads{0};
  self.random = (seed + 1) * 0x9E3779B97F4A7C15ULL +
                (threads.fetch_add(1) + 1) * 0xBF58476D1CE4E5B9ULL;
  if (self.random == 0) self.random = 1;
  for (int i = 0; i < 3; ++i) (void)Lot(1);  // Neighbours begin alike.
  const bool main = getpid() == gettid();
  switch (seed % 3) {
    case 0:
      self.pace = main ? Pace::kQuick : Pace::kSlow;
      break;
    case 1:
      self.pace = main ? Pace::kSlow : Pace::kQuick;
      break;
    default:
      constexpr Pace kPaces[] = {Pace::kQuick, Pace::kHardlySlow, Pace::kSlow};
      self.pace = kPaces[Lot(3)];
  }
}

// How long this thread sleeps here: mostly 0.
int64_t NextSleep() {
  const uint64_t seed = Seed();
  if (seed == 0) return 0;
  if (self.pace == Pace::kUnknown) Begin(seed);
  if (self.pace == Pace::kQuick || self.slept_nanos > kSleepMax) return 0;
  const Manner& manner = kManners[seed / 3 % std::size(kManners)];
  const bool slow = self.pace == Pace::kSlow;
  if (Lot(slow ? manner.chances : manner.chances_hardly) != 0) return 0;
  const bool is_long = Lot(manner.sleeps_per_long) == 0;
  const int64_t nanos = static_cast<int64_t>(Lot(
      static_cast<uint64_t>(is_long ? manner.long_nanos : manner.short_nanos)));
  self.slept_nanos += nanos;
  return nanos;
}

void Sleep(int64_t nanos) {
  if (nanos == 0) return;
  const int error = errno;  // Callers of unlock do not expect it to change.
  const timespec time = {0, static_cast<long>(nanos)};
  (void)nanosleep(&time, nullptr);
  errno = error;
}

void MaybeSleep() { Sleep(NextSleep()); }

// The function that this object stands before.
template <typename Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

int RealLock(pthread_mutex_t* mu) {
  static const auto real = Real<int(pthread_mutex_t*)>("pthread_mutex_lock");
  return real(mu);
}

int RealUnlock(pthread_mutex_t* mu) {
  static const auto real = Real<int(pthread_mutex_t*)>("pthread_mutex_unlock");
  return real(mu);
}

// As if the kernel had been slow to wake this thread: others may have the
// mutex meanwhile, as they may before any wait returns.
void WakeLate(pthread_mutex_t* mu) {
  const int64_t nanos = NextSleep();
  if (nanos == 0) return;
  (void)RealUnlock(mu);
  Sleep(nanos);
  (void)RealLock(mu);
}

}  // namespace

#define SLOW_EXPORT extern "C" __attribute__((visibility("default")))

SLOW_EXPORT int pthread_mutex_lock(pthread_mutex_t* mu) noexcept {
  MaybeSleep();
  return RealLock(mu);
}

SLOW_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mu) noexcept {
  const int result = RealUnlock(mu);
  MaybeSleep();
  return result;
}

SLOW_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mu) {
  static const auto real =
      Real<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait");
  const int result = real(cond, mu);
  WakeLate(mu);
  return result;
}

SLOW_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond,
                                       pthread_mutex_t* mu,
                                       const timespec* deadline) {
  static const auto real =
      Real<int(pthread_cond_t*, pthread_mutex_t*, const timespec*)>(
          "pthread_cond_timedwait");
  const int result = real(cond, mu, deadline);
  WakeLate(mu);
  return result;
}

SLOW_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond,
                                       pthread_mutex_t* mu, clockid_t clock,
                                       const timespec* deadline) {
  static const auto real =
      Real<int(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*)>(
          "pthread_cond_clockwait");
  const int result = real(cond, mu, clock, deadline);
  WakeLate(mu);
  return result;
}

SLOW_EXPORT int unlink(const char* path) noexcept {
  static const auto real = Real<int(const char*)>("unlink");
  MaybeSleep();
  return real(path);
}

SLOW_EXPORT int close(int fd) {
  static const auto real = Real<int(int)>("close");
  MaybeSleep();
  return real(fd);
}
