#include "test/stress/crash/kill_loop.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "test/stress/crash/life.h"
#include "test/stress/seeds/seed_runner.h"
#include "test/support/lone_sync_fs.h"
#include "util/coding.h"

extern char** environ;

namespace ROCKSDB_NAMESPACE::stress {

namespace {

constexpr int kReportFd = 117;  // Not what pipe() gives.
constexpr int kStuckMillis = 30000;

// Messages: a length, a letter, the rest.
//   L  a change of the lineage, before it is made
//   P  the promise
//   O  the database is open
//   F  a failure
enum Message : char { kChange = 'L', kPromise = 'P', kOpen = 'O', kFail = 'F' };

void Send(char what, const std::string& text) {
  std::string message;
  engine::PutFixed32(&message, static_cast<uint32_t>(text.size() + 1));
  message += what + text;
  for (size_t done = 0; done < message.size();) {
    const ssize_t n =
        ::write(kReportFd, message.data() + done, message.size() - done);
    if (n <= 0) ::_exit(4);
    done += static_cast<size_t>(n);
  }
}

std::string Encode(const Promise& promise) {
  std::string text;
  for (const uint64_t number :
       {promise.killed, promise.power, promise.started,
        uint64_t{promise.events_killed}, uint64_t{promise.events_power},
        uint64_t{promise.events_started}, uint64_t{promise.loose},
        uint64_t{promise.damaged}}) {
    engine::PutFixed64(&text, number);
  }
  for (const auto& [family, write] : promise.flushed) {
    engine::PutFixed64(&text, family);
    engine::PutFixed64(&text, write);
  }
  return text;
}

Promise DecodePromise(Slice text) {
  const auto number = [&text] {
    uint64_t n = 0;
    if (!engine::GetFixed64(&text, &n)) text.clear();
    return n;
  };
  Promise promise;
  promise.killed = number();
  promise.power = number();
  promise.started = number();
  promise.events_killed = number();
  promise.events_power = number();
  promise.events_started = number();
  promise.loose = number() != 0;
  promise.damaged = number() != 0;
  while (!text.empty()) {
    const auto family = static_cast<uint32_t>(number());
    promise.flushed[family] = number();
  }
  return promise;
}

// What the parent knows; a child is given it as a file.
struct Heard {
  std::vector<std::string> changes;
  Promise promise;
};

void Save(const Heard& heard, const std::string& path) {
  std::string text;
  engine::PutLengthPrefixedSlice(&text, Encode(heard.promise));
  for (const std::string& change : heard.changes) {
    engine::PutLengthPrefixedSlice(&text, change);
  }
  std::ofstream(path, std::ios::binary) << text;
}

Heard Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const std::string text = bytes.str();
  Slice rest(text);
  Slice part;
  Heard heard;
  if (engine::GetLengthPrefixedSlice(&rest, &part)) {
    heard.promise = DecodePromise(part);
  }
  while (engine::GetLengthPrefixedSlice(&rest, &part)) {
    heard.changes.push_back(part.ToString());
  }
  return heard;
}

struct Child {
  pid_t pid = -1;
  int reports = -1;
};

class KillLoop {
 public:
  KillLoop(uint64_t seed, uint64_t kills, std::string folder)
      : seed_(seed), kills_(kills), folder_(std::move(folder)), random_(seed) {}

  KillTotals Run() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (uint64_t life = 0; life <= kills_ && totals_.failures.empty();
         ++life) {
      RunChild(life, life == kills_);
    }
    if (totals_.failures.empty()) std::filesystem::remove_all(folder_);
    return std::move(totals_);
  }

 private:
  Child Start(uint64_t life, bool last);
  void RunChild(uint64_t life, bool last);
  // False: the child has ended.
  bool Hear(const Child& child, bool* open);
  bool Take(const std::string& message, bool* open);
  void Fail(uint64_t life, const std::string& what) {
    totals_.failures.push_back("life " + std::to_string(life) + " in " +
                               folder_ + ": " + what);
  }

  const uint64_t seed_;
  const uint64_t kills_;
  const std::string folder_;
  engine::Random64 random_;
  Heard heard_;
  std::string unread_;
  uint64_t messages_ = 0;
  std::string failure_;
  KillTotals totals_;
};

Child KillLoop::Start(uint64_t life, bool last) {
  Save(heard_, folder_ + "/heard");
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], kReportFd);
  std::vector<std::string> words = {"/proc/self/exe",      kKillChild,
                                    std::to_string(seed_), std::to_string(life),
                                    last ? "1" : "0",      folder_};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Child child;
  const int error = ::posix_spawn(&child.pid, words[0].c_str(), &actions,
                                  nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  child.reports = ends[0];
  if (error != 0) child.pid = -1;
  return child;
}

bool KillLoop::Take(const std::string& message, bool* open) {
  const std::string text = message.substr(1);
  switch (message[0]) {
    case kChange:
      heard_.changes.push_back(text);
      break;
    case kPromise:
      heard_.promise = DecodePromise(text);
      break;
    case kOpen:
      *open = true;
      break;
    default:
      failure_ = text;
      return false;
  }
  ++messages_;
  return true;
}

bool KillLoop::Hear(const Child& child, bool* open) {
  char buffer[65536];
  pollfd polled = {child.reports, POLLIN, 0};
  if (::poll(&polled, 1, kStuckMillis) == 0) {
    failure_ = "no progress for 30 seconds";
    return false;
  }
  const ssize_t n = ::read(child.reports, buffer, sizeof(buffer));
  if (n <= 0) return false;
  unread_.append(buffer, static_cast<size_t>(n));
  while (unread_.size() >= 4) {
    const uint32_t size = engine::DecodeFixed32(unread_.data());
    if (unread_.size() < 4 + size) break;
    const std::string message = unread_.substr(4, size);
    unread_.erase(0, 4 + size);
    if (!Take(message, open)) return false;
  }
  return true;
}

void KillLoop::RunChild(uint64_t life, bool last) {
  ReportProgress();
  const Child child = Start(life, last);
  if (child.pid < 0) return Fail(life, "cannot start a process");
  unread_.clear();
  messages_ = 0;
  bool open = false;
  bool alive = true;
  // Every third one during recovery, as long as that takes.
  const bool early = random_.OneIn(3);
  const uint64_t wanted = early ? 1 : random_.Uniform(200);
  while (alive && (last || messages_ < wanted)) alive = Hear(child, &open);
  if (alive && !last) {
    std::this_thread::sleep_for(
        std::chrono::microseconds(random_.Skewed(early ? 13 : 11)));
  }
  if (!last || !failure_.empty()) ::kill(child.pid, SIGKILL);
  int how = 0;
  ::waitpid(child.pid, &how, 0);
  while (failure_.empty() && Hear(child, &open)) {
  }
  ::close(child.reports);
  if (!failure_.empty()) return Fail(life, failure_);
  if (last) {
    if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) Fail(life, "it died");
    return;
  }
  if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL) {
    return Fail(life, "it ended by itself: " + std::to_string(how));
  }
  ++totals_.kills;
  totals_.in_recovery += open ? 0 : 1;
}

}  // namespace

KillTotals RunKills(uint64_t seed, uint64_t kills, const std::string& folder) {
  return KillLoop(seed, kills, folder).Run();
}

int KillChildMain(int argc, char** argv) {
  if (argc != 6) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const uint64_t seed = std::strtoull(argv[2], nullptr, 10);
  const uint64_t number = std::strtoull(argv[3], nullptr, 10);
  const bool last = argv[4][0] == '1';
  const std::string folder = argv[5];
  const Heard heard = Load(folder + "/heard");
  Lineage lineage;
  for (const std::string& change : heard.changes) {
    if (!lineage.Repeat(change)) return 2;
  }
  lineage.SetRecorder([](const std::string& change) { Send(kChange, change); });
  LifeDeps deps;
  deps.path = folder + "/db";
  deps.setup = DrawSetup(seed, number, DrawLogging(seed), folder);
  const std::unique_ptr<Env> lone_syncs = NewCompositeEnv(
      std::make_shared<test::LoneSyncFileSystem>(FileSystem::Default()));
  deps.env = deps.setup.lone_syncs ? lone_syncs.get() : Env::Default();
  deps.seed = seed * 7919 + number;
  deps.tag = std::to_string(seed) + "-" + std::to_string(number);
  deps.on_promise = [](const Promise& promise) {
    Send(kPromise, Encode(promise));
  };
  auto life = std::make_unique<Life>(deps, lineage, heard.promise);
  if (life->Open(nullptr) == Life::Outcome::kRefused) {
    deps.setup.options.wal_recovery_mode =
        WALRecoveryMode::kPointInTimeRecovery;
    life = std::make_unique<Life>(deps, lineage, heard.promise);
    life->Open(nullptr);
  }
  if (life->failure().empty()) {
    Send(kOpen, "");
    while (life->failure().empty() && !last) life->Step();
    life->Use();
    life->Close();
  }
  if (life->failure().empty()) return 0;
  Send(kFail, life->failure() + "\n" + life->ToString());
  return 1;
}

}  // namespace ROCKSDB_NAMESPACE::stress
