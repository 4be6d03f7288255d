#include "env/posix/posix_loaded_disk.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "env/aligned_buffer.h"
#include "env/posix/posix_error.h"
#include "util/mutex.h"
#include "util/no_memory.h"
#include "util/quantity_text.h"
#include "util/random.h"
#include "util/start_thread.h"

namespace ROCKSDB_NAMESPACE::engine {

namespace {

using LoadClock = std::chrono::steady_clock;

constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kFillBytes = 1024 * 1024;
constexpr uint32_t kFillDepth = 4;
constexpr uint64_t kLatenciesMax = 1'000'000;  // Per thread.
// Filling goes on until there is room for requests at several places.
constexpr uint64_t kFilledMin = uint64_t{16} << 20;

double SecondsBetween(LoadClock::time_point from, LoadClock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// Threads prepare, and begin together; their clock starts only then.
class StartLine {
 public:
  // Of each thread: waits until all may begin.
  void Arrive() EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    ++arrived_;
    changed_.SignalAll();
    while (!open_) changed_.Wait(&mu_);
  }
  // Of the caller: waits for `threads` to arrive.
  void AwaitArrivals(size_t threads) EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    while (arrived_ < threads) changed_.Wait(&mu_);
  }
  void Open() EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    open_ = true;
    changed_.SignalAll();
  }

 private:
  Mutex mu_;
  CondVar changed_;
  size_t arrived_ GUARDED_BY(mu_) = 0;
  bool open_ GUARDED_BY(mu_) = false;
};

// Requests of one kind: the threads take numbers off it.
struct StreamState {
  DiskStream stream;
  bool write = false;
  uint64_t file_bytes = 0;
  LoadClock::time_point start;  // Both are set before the line opens.
  LoadClock::time_point end;
  std::atomic<uint64_t> next{0};

  // Results.
  Mutex mu;
  uint64_t ops GUARDED_BY(mu) = 0;
  std::vector<uint32_t> micros GUARDED_BY(mu);
  LoadClock::time_point last GUARDED_BY(mu);
};

// Requires: no thread uses it any more.
DiskRate RateOf(StreamState* state) {
  DiskRate rate;
  std::vector<uint32_t> all;
  LoadClock::time_point end = state->end;
  {
    MutexLock lock(&state->mu);
    rate.ops = state->ops;
    all = std::move(state->micros);
    // Requests that came back late belong to the time they took.
    end = std::max(end, state->last);
  }
  if (rate.ops == 0) return rate;
  const double seconds = std::max(SecondsBetween(state->start, end), 1e-6);
  rate.ops_per_second = static_cast<double>(rate.ops) / seconds;
  rate.bytes_per_second = rate.ops_per_second * state->stream.bytes;
  std::sort(all.begin(), all.end());
  const auto at = [&all](size_t percent) {
    return all[(all.size() - 1) * percent / 100];
  };
  rate.p50_micros = at(50);
  rate.p95_micros = at(95);
  return rate;
}

class PosixLoadedDisk final : public LoadedDisk {
 public:
  PosixLoadedDisk(int fd, uint64_t file_bytes,
                  const PosixLoadedDiskOptions& options)
      : fd_(fd), file_bytes_(file_bytes), options_(options) {}
  ~PosixLoadedDisk() override { ::close(fd_); }

  Result<DiskRate> Fill(double seconds,
                        const std::function<void(double)>& tell) override {
    // Several rounds, to tell how far it is.
    constexpr uint64_t kRounds = 16;
    const uint64_t round =
        std::max<uint64_t>(file_bytes_ / kRounds / kFillBytes, 1) * kFillBytes;
    DiskRate all;
    double spent = 0;
    while (filled_ < file_bytes_ && (spent < seconds || filled_ < kFilledMin)) {
      StreamState state;
      state.stream = {kFillDepth, kFillBytes, /*random=*/false, 0};
      state.write = true;
      state.file_bytes = filled_ + round;
      state.next = filled_ / kFillBytes;
      fill_end_ = (filled_ + round) / kFillBytes;
      RETURN_IF_ERROR(Execute(nullptr, &state, /*seconds=*/1e6));
      fill_end_ = UINT64_MAX;
      spent += SecondsBetween(state.start, LoadClock::now());
      filled_ += round;
      all.ops += round / kFillBytes;
      tell(static_cast<double>(filled_) / static_cast<double>(file_bytes_));
    }
    all.bytes_per_second =
        static_cast<double>(all.ops) * kFillBytes / std::max(spent, 1e-6);
    all.ops_per_second = all.bytes_per_second / kFillBytes;
    return all;
  }

  Result<DiskLoadResult> Run(const DiskLoad& load) override {
    StreamState reads;
    StreamState writes;
    reads.stream = load.reads;
    writes.stream = load.writes;
    writes.write = true;
    reads.file_bytes = writes.file_bytes = filled_;
    RETURN_IF_ERROR(Execute(&reads, &writes, load.seconds));
    DiskLoadResult result;
    result.seconds = SecondsBetween(writes.start, LoadClock::now());
    result.reads = RateOf(&reads);
    result.writes = RateOf(&writes);
    return result;
  }

 private:
  Status Execute(StreamState* reads, StreamState* writes, double seconds) {
    StartLine line;
    std::vector<std::thread> threads;
    size_t threads_max = 0;
    for (const StreamState* state : {reads, writes}) {
      if (state != nullptr) threads_max += state->stream.depth;
    }
    // Nothing may throw once a thread waits at the line.
    threads.reserve(threads_max);
    for (StreamState* state : {reads, writes}) {
      if (state != nullptr) Start(state, &line, &threads);
    }
    line.AwaitArrivals(threads.size());
    const auto start = LoadClock::now();
    for (StreamState* state : {reads, writes}) {
      if (state == nullptr) continue;
      state->start = start;
      state->end = start + std::chrono::duration_cast<LoadClock::duration>(
                               std::chrono::duration<double>(seconds));
    }
    line.Open();
    for (std::thread& thread : threads) thread.join();
    if (Interrupted()) return Status::Aborted("measuring was interrupted");
    MutexLock lock(&mu_);
    return status_;
  }

  void Start(StreamState* state, StartLine* line,
             std::vector<std::thread>* threads) {
    for (uint32_t i = 0; i < state->stream.depth && !Failed(); ++i) {
      const uint64_t seed = ++seeds_;
      std::thread thread;
      const Status status =
          StartThread(&thread, [=, this] { RunThread(state, line, seed); });
      if (!status.ok()) return Fail(status);
      threads->push_back(std::move(thread));
    }
  }
  // Arrives whatever happens: the others wait for it.
  void RunThread(StreamState* state, StartLine* line, uint64_t seed) {
    Random64 random(seed);
    AlignedBuffer buffer;
    Status status = OrNoMemory([&] {
      buffer = RandomBuffer(state->stream.bytes, &random);
      return Status::OK();
    });
    if (!status.ok()) Fail(status);
    line->Arrive();
    status = OrNoMemory([&] {
      Requests(state, &random, buffer.data());
      return Status::OK();
    });
    if (!status.ok()) Fail(status);
  }
  // Disks that compress must not gain by what is written.
  static AlignedBuffer RandomBuffer(uint64_t bytes, Random64* random) {
    AlignedBuffer buffer(kPageBytes, bytes);
    for (uint64_t i = 0; i < bytes; i += sizeof(uint64_t)) {
      const uint64_t word = random->Next();
      std::memcpy(buffer.data() + i, &word, sizeof(word));
    }
    return buffer;
  }
  void Fail(const Status& status) EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    if (status_.ok()) status_ = status;
  }

  bool Interrupted() const {
    return options_.interrupted && options_.interrupted();
  }
  bool Failed() const EXCLUDES_LOCK(mu_) {
    MutexLock lock(&mu_);
    return !status_.ok();
  }

  // What one thread does. Where requests have no rate it makes at least one,
  // however late it begins.
  void Requests(StreamState* state, Random64* random, char* data) {
    const DiskStream& stream = state->stream;
    std::vector<uint32_t> micros;
    uint64_t ops = 0;
    LoadClock::time_point last = state->start;
    while (!Interrupted() && !Failed()) {
      const uint64_t number = state->next.fetch_add(1);
      if (number >= fill_end_) break;
      LoadClock::time_point due = LoadClock::now();
      const bool paced = stream.ops_per_second > 0;
      if (paced) due = DueTime(*state, number);
      if (due >= state->end && (paced || ops > 0)) break;
      due = WaitUntil(due);
      if (LoadClock::now() >= state->end && ops > 0) break;
      if (!Request(*state, number, random, data)) break;
      last = LoadClock::now();
      ++ops;
      if (micros.size() < kLatenciesMax) {
        const double waited = SecondsBetween(due, last) * 1e6;
        micros.push_back(static_cast<uint32_t>(std::min(waited, 4e9)));
      }
    }
    MutexLock lock(&state->mu);
    state->ops += ops;
    state->last = std::max(state->last, last);
    state->micros.insert(state->micros.end(), micros.begin(), micros.end());
  }

  static LoadClock::time_point DueTime(const StreamState& state,
                                       uint64_t number) {
    const double seconds =
        static_cast<double>(number) / state.stream.ops_per_second;
    return state.start + std::chrono::duration_cast<LoadClock::duration>(
                             std::chrono::duration<double>(seconds));
  }
  // From when on the request waits for the disk.
  static LoadClock::time_point WaitUntil(LoadClock::time_point due) {
    if (LoadClock::now() >= due) return due;
    std::this_thread::sleep_until(due);
    return LoadClock::now();
  }

  bool Request(const StreamState& state, uint64_t number, Random64* random,
               char* data) {
    const uint64_t bytes = state.stream.bytes;
    const uint64_t places = std::max<uint64_t>(state.file_bytes / bytes, 1);
    const uint64_t place =
        state.stream.random ? random->Uniform(places) : number % places;
    const auto offset = static_cast<off_t>(place * bytes);
    if (state.write) Stamp(number, bytes, data);
    for (;;) {
      const ssize_t done = state.write ? ::pwrite(fd_, data, bytes, offset)
                                       : ::pread(fd_, data, bytes, offset);
      if (done == static_cast<ssize_t>(bytes)) return true;
      if (done < 0 && errno == EINTR) continue;
      const int error = done < 0 ? errno : (state.write ? ENOSPC : EIO);
      Fail(PosixError(state.write ? "While writing the test file in"
                                  : "While reading the test file in",
                      options_.directory, error));
      return false;
    }
  }

  // Disks that store equal pages once must not gain by it.
  static void Stamp(uint64_t number, uint64_t bytes, char* data) {
    for (uint64_t i = 0; i < bytes; i += kPageBytes) {
      std::memcpy(data + i, &number, sizeof(number));
    }
  }

  const int fd_;
  const uint64_t file_bytes_;
  const PosixLoadedDiskOptions options_;
  uint64_t filled_ = 0;  // Bytes that may be read.
  // Filling stops before this request.
  std::atomic<uint64_t> fill_end_{UINT64_MAX};
  uint64_t seeds_ = 0;

  mutable Mutex mu_;
  Status status_ GUARDED_BY(mu_);
};

std::string Sentence(const std::string& directory, const std::string& rest) {
  return "cannot measure the disk of " + directory + ": " + rest;
}

// Bytes for the test file.
Result<uint64_t> CheckDirectory(const PosixLoadedDiskOptions& options) {
  const std::string& directory = options.directory;
  struct stat info {};
  if (::stat(directory.c_str(), &info) != 0) {
    return Status::InvalidArgument(Sentence(
        directory, errno == ENOENT ? "it does not exist" : PosixReason(errno)));
  }
  if (!S_ISDIR(info.st_mode)) {
    return Status::InvalidArgument(Sentence(directory, "it is no directory"));
  }
  struct statfs kind {};
  struct statvfs space {};
  if (::statfs(directory.c_str(), &kind) != 0 ||
      ::statvfs(directory.c_str(), &space) != 0) {
    return Status::InvalidArgument(Sentence(directory, PosixReason(errno)));
  }
  const auto type = static_cast<uint64_t>(kind.f_type);
  if (type == TMPFS_MAGIC || type == RAMFS_MAGIC || type == HUGETLBFS_MAGIC) {
    return Status::InvalidArgument(Sentence(
        directory, "its files are kept in memory (tmpfs), not on a disk"));
  }
  if (space.f_blocks == 0) {  // As that of /proc.
    return Status::InvalidArgument(
        Sentence(directory, "its file system keeps no files on a disk"));
  }
  if ((space.f_flag & ST_RDONLY) != 0) {
    return Status::InvalidArgument(
        Sentence(directory, "its file system is mounted read-only"));
  }
  const uint64_t free = uint64_t{space.f_bavail} * space.f_frsize;
  const uint64_t bytes =
      std::min(options.file_bytes, free / 2) / kFillBytes * kFillBytes;
  if (bytes < options.file_bytes_min) {
    return Status::NoSpace(Sentence(
        directory,
        "measuring needs " +
            BytesText(2 * static_cast<double>(options.file_bytes_min)) +
            " of free space, found " + BytesText(static_cast<double>(free))));
  }
  return bytes;
}

// A file without a name, for direct I/O; -1 and errno on errors.
int OpenNameless(const std::string& directory) {
  constexpr int kFlags = O_RDWR | O_DIRECT | O_CLOEXEC;
  int fd = ::open(directory.c_str(), kFlags | O_TMPFILE, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)) {
    return fd;
  }
  // The file system must give it a name first.
  const std::string path =
      directory + "/iotune." + std::to_string(::getpid()) + ".tmp";
  fd = ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, 0600);
  if (fd < 0) {
    const int error = errno;
    // Some create the file and only then refuse direct I/O.
    if (error == EINVAL) ::unlink(path.c_str());
    errno = error;
    return fd;
  }
  ::unlink(path.c_str());
  return fd;
}

}  // namespace

Result<std::unique_ptr<LoadedDisk>> OpenPosixLoadedDisk(
    const PosixLoadedDiskOptions& options) {
  const auto bytes = CheckDirectory(options);
  if (!bytes.ok()) return bytes.status();
  const int fd = OpenNameless(options.directory);
  if (fd < 0) {
    const int error = errno;
    const std::string why =
        error == EINVAL ? "its file system does not allow direct I/O"
                        : "no file can be created in it: " + PosixReason(error);
    return Status::InvalidArgument(Sentence(options.directory, why));
  }
  // Allocated at once where possible, so that filling does not measure that.
  if (::fallocate(fd, 0, 0, static_cast<off_t>(*bytes)) != 0 &&
      (errno == ENOSPC || errno == EDQUOT)) {
    const int error = errno;
    ::close(fd);
    return Status::NoSpace(Sentence(
        options.directory, "the test file of " +
                               BytesText(static_cast<double>(*bytes)) +
                               " does not fit: " + PosixReason(error)));
  }
  return std::unique_ptr<LoadedDisk>(
      std::make_unique<PosixLoadedDisk>(fd, *bytes, options));
}

Result<std::string> MountpointOf(const std::string& directory) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(directory, error);
  struct stat here {};
  if (error || ::stat(path.c_str(), &here) != 0) {
    return Status::InvalidArgument(
        Sentence(directory, error ? error.message() : PosixReason(errno)));
  }
  while (path.has_relative_path()) {
    struct stat above {};
    const std::filesystem::path parent = path.parent_path();
    if (::stat(parent.c_str(), &above) != 0 || above.st_dev != here.st_dev) {
      break;
    }
    path = parent;
  }
  const std::string text = path.string();
  const bool printable = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  });
  if (!printable) {
    return Status::InvalidArgument(Sentence(
        directory, "its mount point has a control character in its name"));
  }
  return text;
}

Result<DiskMeasurement> MeasureDirectory(const PosixLoadedDiskOptions& disk,
                                         const MeasureDiskOptions& options) {
  auto loaded = OpenPosixLoadedDisk(disk);
  if (!loaded.ok()) return loaded.status();
  auto mountpoint = MountpointOf(disk.directory);
  if (!mountpoint.ok()) return mountpoint.status();
  auto measured = MeasureDisk(loaded->get(), options);
  if (measured.ok()) measured->profile.mountpoint = *mountpoint;
  return measured;
}

}  // namespace ROCKSDB_NAMESPACE::engine
