// TuningDomain: the databases that share one device.
//
// Place. Found by the device that holds a database; kept alive by its members.
// Their byte gates share the count of writing flushes, so that a flush of one
// database goes before the compactions of all. How pressed each member is, is
// told to the others, who leave the device to the neediest; those whose writers
// wait share equally what the device writes for them.
//
// Invariants:
//   (1) What a member told is forgotten when it goes, and not believed by one
//       that has told twice kTicksMissedMax times since: its ticks stand still.
//       One that has told less than kTicksMissedMax times since believes it.
//   (2) The need of a member never slows that member's own writes.
//
// Threads. Thread-safe.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "db/tune/signals.h"
#include "env/io_gate.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE {
class FileSystem;
}  // namespace ROCKSDB_NAMESPACE

namespace ROCKSDB_NAMESPACE::engine {

class TuningDomain : public std::enable_shared_from_this<TuningDomain> {
 public:
  using Member = uint64_t;

  // Some ten seconds of ticks.
  static constexpr int kTicksMissedMax = 100;

  // The domain of the device below `path`. Two file systems are two devices
  // unless both are the operating system's.
  static std::shared_ptr<TuningDomain> Of(FileSystem* fs,
                                          const std::string& path);

  // What the gates of the members share. Holding it keeps the domain.
  std::shared_ptr<IoGateShared> gate() { return {shared_from_this(), &gate_}; }

  Member Join();
  void Leave(Member member);
  // Tells the others how `member` uses the device, and returns what they told.
  Neighbours Exchange(Member member, const DeviceUse& use);

 private:
  IoGateShared gate_;
  Mutex mu_{LockRank::kTuningDomain};
  Member last_ GUARDED_BY(mu_) = 0;
  struct Told {
    DeviceUse use;
    uint64_t exchange = 0;
    // Own ticks since `recent`; each time that these are kTicksMissedMax, what
    // was told before `earlier` is believed no longer.
    int ticks = 0;
    uint64_t recent = 0;
    uint64_t earlier = 0;
  };
  uint64_t exchanges_ GUARDED_BY(mu_) = 0;
  std::map<Member, Told> told_ GUARDED_BY(mu_);
};

}  // namespace ROCKSDB_NAMESPACE::engine
