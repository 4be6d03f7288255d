#include "env/posix/io_ring.h"

#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <vector>

// Defined by programs that want a say in whether io_uring is used.
extern "C" bool RocksDbIOUringEnable() __attribute__((__weak__));

namespace ROCKSDB_NAMESPACE::engine {

namespace {

unsigned LoadAcquire(const unsigned* p) {
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

void StoreRelease(unsigned* p, unsigned value) {
  __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

// Reading is younger than io_uring itself; the probe as young as reading.
bool CanRead(int fd) {
  constexpr unsigned kOps = IORING_OP_READ + 1;
  std::vector<char> memory(sizeof(io_uring_probe) +
                           kOps * sizeof(io_uring_probe_op));
  auto* const probe = reinterpret_cast<io_uring_probe*>(memory.data());
  if (syscall(__NR_io_uring_register, fd, IORING_REGISTER_PROBE, probe, kOps) !=
      0) {
    return false;
  }
  return probe->last_op >= IORING_OP_READ &&
         (probe->ops[IORING_OP_READ].flags & IO_URING_OP_SUPPORTED) != 0;
}

}  // namespace

struct IoRing::Kernel {
  int fd = -1;
  void* rings = MAP_FAILED;
  size_t rings_bytes = 0;
  void* entries = MAP_FAILED;
  size_t entries_bytes = 0;

  // Submission: we move the tail, the kernel the head.
  unsigned* sq_head = nullptr;
  unsigned* sq_tail = nullptr;
  unsigned sq_mask = 0;
  unsigned* sq_array = nullptr;
  io_uring_sqe* sqes = nullptr;
  // Completion: the other way round.
  unsigned* cq_head = nullptr;
  unsigned* cq_tail = nullptr;
  unsigned cq_mask = 0;
  io_uring_cqe* cqes = nullptr;

  bool Init();
  ~Kernel() {
    if (entries != MAP_FAILED) munmap(entries, entries_bytes);
    if (rings != MAP_FAILED) munmap(rings, rings_bytes);
    if (fd >= 0) close(fd);
  }
};

bool IoRing::Kernel::Init() {
  io_uring_params params{};
  fd = static_cast<int>(syscall(__NR_io_uring_setup, kDepth, &params));
  if (fd < 0 || (params.features & IORING_FEAT_SINGLE_MMAP) == 0 ||
      !CanRead(fd)) {
    return false;
  }
  rings_bytes = std::max<size_t>(
      params.sq_off.array + params.sq_entries * sizeof(unsigned),
      params.cq_off.cqes + params.cq_entries * sizeof(io_uring_cqe));
  constexpr int kFlags = MAP_SHARED | MAP_POPULATE;
  rings = mmap(nullptr, rings_bytes, PROT_READ | PROT_WRITE, kFlags, fd,
               IORING_OFF_SQ_RING);
  if (rings == MAP_FAILED) return false;
  entries_bytes = params.sq_entries * sizeof(io_uring_sqe);
  entries = mmap(nullptr, entries_bytes, PROT_READ | PROT_WRITE, kFlags, fd,
                 IORING_OFF_SQES);
  if (entries == MAP_FAILED) return false;

  char* const base = static_cast<char*>(rings);
  const auto at = [base](uint32_t offset) {
    return reinterpret_cast<unsigned*>(base + offset);
  };
  sq_head = at(params.sq_off.head);
  sq_tail = at(params.sq_off.tail);
  sq_mask = *at(params.sq_off.ring_mask);
  sq_array = at(params.sq_off.array);
  sqes = static_cast<io_uring_sqe*>(entries);
  cq_head = at(params.cq_off.head);
  cq_tail = at(params.cq_off.tail);
  cq_mask = *at(params.cq_off.ring_mask);
  cqes = reinterpret_cast<io_uring_cqe*>(base + params.cq_off.cqes);
  return true;
}

IoRing::IoRing(std::unique_ptr<Kernel> kernel) : kernel_(std::move(kernel)) {}

IoRing::~IoRing() = default;

std::shared_ptr<IoRing> IoRing::Make() {
  if (RocksDbIOUringEnable != nullptr && !RocksDbIOUringEnable()) {
    return nullptr;
  }
  auto kernel = std::make_unique<Kernel>();
  if (!kernel->Init()) return nullptr;
  return std::shared_ptr<IoRing>(new IoRing(std::move(kernel)));
}

const std::shared_ptr<IoRing>& IoRing::ForThread() {
  // Asked once: who is refused now would be refused again.
  thread_local const std::shared_ptr<IoRing> ring = Make();
  return ring;
}

void IoRing::Push(Read* read) {
  assert(HasRoom());  // (1)
  Kernel& k = *kernel_;
  const unsigned tail = *k.sq_tail;
  const unsigned slot = tail & k.sq_mask;
  io_uring_sqe& entry = k.sqes[slot];
  std::memset(&entry, 0, sizeof(entry));
  entry.opcode = IORING_OP_READ;
  entry.fd = read->fd;
  entry.off = read->offset;
  entry.addr = reinterpret_cast<uintptr_t>(read->buffer);
  entry.len = read->bytes;
  entry.user_data = reinterpret_cast<uintptr_t>(read);
  k.sq_array[slot] = slot;
  StoreRelease(k.sq_tail, tail + 1);
  read->done = false;
  ++under_way_;
}

// The read that Push() was given; null for a cancellation.
IoRing::Read* IoRing::ReadOf(uint64_t user_data) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel keeps an integer.
  return reinterpret_cast<Read*>(user_data);
}

void IoRing::GiveUpPushed() {
  Kernel& k = *kernel_;
  const unsigned head = LoadAcquire(k.sq_head);
  for (unsigned i = head; i != *k.sq_tail; ++i) {
    Read* const read = ReadOf(k.sqes[i & k.sq_mask].user_data);
    assert(under_way_ > 0);
    --under_way_;
    if (read == nullptr) continue;
    read->result = -ECANCELED;
    read->done = true;
  }
  // The kernel looks at the queue only while it is entered.
  StoreRelease(k.sq_tail, head);
}

void IoRing::Enter(unsigned wait) {
  assert(wait <= under_way_);  // Or nothing would end the wait.
  Kernel& k = *kernel_;
  for (;;) {
    const unsigned pushed = *k.sq_tail - LoadAcquire(k.sq_head);
    const unsigned flags = wait > 0 ? IORING_ENTER_GETEVENTS : 0;
    ++kernel_calls_;
    const long taken = syscall(__NR_io_uring_enter, k.fd, pushed, wait, flags,
                               nullptr, size_t{0});
    if (taken >= 0) {
      if (static_cast<unsigned>(taken) < pushed) GiveUpPushed();
      return;
    }
    if (errno == EINTR) continue;
    GiveUpPushed();
    return;
  }
}

void IoRing::Reap() {
  Kernel& k = *kernel_;
  unsigned head = *k.cq_head;
  const unsigned tail = LoadAcquire(k.cq_tail);
  for (; head != tail; ++head) {
    const io_uring_cqe& entry = k.cqes[head & k.cq_mask];
    assert(under_way_ > 0);
    --under_way_;
    Read* const read = ReadOf(entry.user_data);
    if (read == nullptr) continue;  // A cancellation.
    read->result = entry.res;
    read->done = true;
  }
  StoreRelease(k.cq_head, head);
}

void IoRing::RunAll(Read* reads, size_t count) {
  MutexLock lock(&mu_);
  size_t next = 0;
  for (;;) {
    unsigned pushed = 0;
    for (; next < count && HasRoom(); ++next, ++pushed) Push(&reads[next]);
    const bool all_done =
        std::all_of(reads, reads + next, [](const Read& r) { return r.done; });
    if (all_done && next == count) return;
    // Other threads' reads may complete first: any progress will do. The last
    // round waits for as many as are still missing.
    const unsigned wait =
        next < count
            ? 1
            : static_cast<unsigned>(std::count_if(
                  reads, reads + count, [](const Read& r) { return !r.done; }));
    Enter(std::min(wait, under_way_));
    Reap();
  }
}

bool IoRing::MakeRoom() {
  if (HasRoom()) return true;
  Reap();
  if (HasRoom()) return true;
  // The caller reads plainly; what waits to be handed over need not.
  if (LoadAcquire(kernel_->sq_head) != *kernel_->sq_tail) Enter(0);
  return false;
}

bool IoRing::Prepare(Read* read) {
  MutexLock lock(&mu_);
  if (!MakeRoom()) return false;
  Push(read);
  return true;
}

bool IoRing::Start(Read* read) {
  MutexLock lock(&mu_);
  if (!MakeRoom()) return false;
  Push(read);
  Enter(0);
  // Refused: nothing has happened. (A read that is done already is not: only
  // Reap says so.)
  return !read->done;
}

void IoRing::Wait(const Read* const* reads, size_t count) {
  MutexLock lock(&mu_);
  Reap();
  for (;;) {
    const auto missing = static_cast<unsigned>(std::count_if(
        reads, reads + count, [](const Read* read) { return !read->done; }));
    if (missing == 0) return;
    assert(under_way_ > 0);
    // As in RunAll, others may be among those that complete.
    Enter(std::min(missing, under_way_));
    Reap();
  }
}

void IoRing::Cancel(const Read* read) {
  MutexLock lock(&mu_);
  Reap();
  if (!read->done && HasRoom()) {  // (1)
    Kernel& k = *kernel_;
    const unsigned tail = *k.sq_tail;
    const unsigned slot = tail & k.sq_mask;
    io_uring_sqe& entry = k.sqes[slot];
    std::memset(&entry, 0, sizeof(entry));
    entry.opcode = IORING_OP_ASYNC_CANCEL;
    entry.addr = reinterpret_cast<uintptr_t>(read);
    k.sq_array[slot] = slot;
    StoreRelease(k.sq_tail, tail + 1);
    ++under_way_;
  }
  while (!read->done) {
    Enter(1);
    Reap();
  }
}

}  // namespace ROCKSDB_NAMESPACE::engine
