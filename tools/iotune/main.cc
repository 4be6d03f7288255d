// iotune: measures the disk of a directory for the I/O scheduler.
//
// Place. A program over env/measure_disk.h. docs/tools.md shows its use.
//
// Signals. SIGINT and SIGTERM end the measuring; the test file has no name and
// goes with the process in any case.

#include <gflags/gflags.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "env/io_profile.h"
#include "env/posix/posix_loaded_disk.h"
#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/version.h"
#include "tools/iotune/report.h"

DEFINE_string(dir, "", "directory on the disk that is measured");
DEFINE_string(out, "io-properties.yaml",
              "where the profile is written; empty: it is only shown");
DEFINE_string(page, "", "where a page with the picture is written");
DEFINE_double(seconds, 60, "how long to measure, about; 1 to 3600");
DEFINE_uint64(file_mb, 1024, "size of the test file in MiB; at least 64");
DEFINE_string(show, "",
              "shows this profile instead of measuring; --dir chooses among "
              "several disks");

namespace ROCKSDB_NAMESPACE::iotune {
namespace {

using namespace engine;  // NOLINT

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

void Interrupt(int /*signal*/) { g_interrupted = true; }

void CatchSignals() {
  struct sigaction action {};
  action.sa_handler = &Interrupt;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    ::sigaction(signal, &action, nullptr);
  }
}

Status CheckFlags(int words) {
  const auto bad = [](const std::string& text) {
    return Status::InvalidArgument(text);
  };
  if (words > 1) return bad("every argument begins with --; see --help");
  if (!FLAGS_show.empty()) return Status::OK();
  if (FLAGS_dir.empty()) return bad("--dir=DIRECTORY says what to measure");
  if (!(FLAGS_seconds >= 1 && FLAGS_seconds <= 3600)) {
    return bad("--seconds: expected from 1 to 3600");
  }
  if (FLAGS_file_mb < 64 || FLAGS_file_mb > (uint64_t{1} << 20)) {
    return bad("--file_mb: expected from 64 to 1048576");
  }
  return Status::OK();
}

// Under another name first, so that a profile is whole or the old one.
Status WriteWhole(const std::string& path, const std::string& text) {
  FileSystem* const fs = FileSystem::Default().get();
  const std::string temporary = path + ".tmp";
  IOStatus status =
      WriteStringToFile(fs, text, temporary, /*should_sync=*/true);
  if (status.ok()) {
    status = fs->RenameFile(temporary, path, IOOptions(), nullptr);
  }
  if (!status.ok()) (void)fs->DeleteFile(temporary, IOOptions(), nullptr);
  return status;
}

// A minute of measuring must not be lost to a wrong path.
Status CheckWritable(const std::string& path) {
  if (path.empty()) return Status::OK();
  const std::string temporary = path + ".tmp";
  FileSystem* const fs = FileSystem::Default().get();
  RETURN_IF_ERROR(WriteStringToFile(fs, "", temporary, false));
  return fs->DeleteFile(temporary, IOOptions(), nullptr);
}

// One line that changes on a terminal, else one line per step.
class ProgressLine {
 public:
  void Show(const DiskMeasureProgress& progress) {
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    if (!terminal && step_ == progress.step) return;
    step_ = progress.step;
    std::fprintf(stderr, "%s%3.0f %%, %.0f s left: %-30s%s",
                 terminal ? "\r" : "", 100 * progress.done,
                 progress.seconds_left, progress.step, terminal ? "" : "\n");
    open_ = terminal;
  }
  ~ProgressLine() {
    if (open_) std::fprintf(stderr, "\r%60s\r", "");
  }

 private:
  std::string step_;
  bool open_ = false;
};

Result<DiskMeasurement> Measure() {
  PosixLoadedDiskOptions disk;
  disk.directory = FLAGS_dir;
  disk.file_bytes = FLAGS_file_mb << 20;
  disk.interrupted = [] { return g_interrupted.load(); };
  ProgressLine line;
  MeasureDiskOptions options;
  options.seconds = FLAGS_seconds;
  options.progress = [&](const DiskMeasureProgress& progress) {
    line.Show(progress);
  };
  return MeasureDirectory(disk, options);
}

Status Run(int words) {
  RETURN_IF_ERROR(CheckFlags(words));
  if (!FLAGS_show.empty()) {
    const auto profile =
        ReadIoProfile(FileSystem::Default().get(), FLAGS_show, FLAGS_dir);
    if (!profile.ok()) return profile.status();
    std::fputs(ProfileTable(*profile).c_str(), stdout);
    return Status::OK();
  }
  RETURN_IF_ERROR(CheckWritable(FLAGS_out));
  RETURN_IF_ERROR(CheckWritable(FLAGS_page));
  CatchSignals();
  const auto measured = Measure();
  if (!measured.ok()) return measured.status();
  std::printf("%s\n%s", ProfileTable(measured->profile).c_str(),
              CellTable(*measured).c_str());
  if (!FLAGS_out.empty()) {
    RETURN_IF_ERROR(WriteWhole(FLAGS_out, FormatIoProfile(measured->profile)));
    std::printf("profile: %s\n", FLAGS_out.c_str());
  }
  if (!FLAGS_page.empty()) {
    RETURN_IF_ERROR(WriteWhole(FLAGS_page, Page(*measured, FLAGS_dir)));
    std::printf("page: %s\n", FLAGS_page.c_str());
  }
  return Status::OK();
}

int Main(int argc, char** argv) {
  gflags::SetUsageMessage(
      "\nUSAGE:\niotune --dir=DIRECTORY [--name=value]...\n\nMeasures the disk "
      "of a directory and writes its profile for the I/O scheduler.");
  gflags::SetVersionString(GetRocksVersionAsString() + "\n" +
                           GetRiverstoneBuildInfoAsString());
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  const Status status = Run(argc);
  if (status.ok()) return 0;
  std::fprintf(stderr, "iotune: %s\n", status.ToString().c_str());
  return 1;
}

}  // namespace
}  // namespace ROCKSDB_NAMESPACE::iotune

int main(int argc, char** argv) {
  return ROCKSDB_NAMESPACE::iotune::Main(argc, argv);
}
