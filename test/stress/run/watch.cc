#include "test/stress/run/watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>

namespace ROCKSDB_NAMESPACE::stress {

namespace {

// Of fixed size, because a signal handler must not allocate.
char command[1024];
char doing[512];

void Copy(const std::string& text, char* to, size_t size) {
  const size_t n = std::min(text.size(), size - 1);
  std::memcpy(to, text.data(), n);
  to[n] = '\0';
}

void Say(const char* text) {
  const ssize_t written = write(STDOUT_FILENO, text, std::strlen(text));
  if (written < 0) _exit(1);
}

void SayAll(const char* what) {
  Say(what);
  Say(doing);
  Say("\nreproduce: ");
  Say(command);
  Say("\n");
}

void OnSignal(int signal) {
  SayAll("FAILURE: the program crashed in: ");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

Watch::Watch(uint64_t stall_seconds) : stall_seconds_(stall_seconds) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL}) {
    std::signal(signal, OnSignal);
  }
  thread_ = std::thread([this] { Look(); });
}

Watch::~Watch() {
  ended_.store(true);
  thread_.join();
}

void Watch::Reproduce(const std::string& text) {
  Copy(text, command, sizeof(command));
}

void Watch::Progress(const std::string& what) {
  Copy(what, doing, sizeof(doing));
  steps_.fetch_add(1);
}

void Watch::Look() {
  using std::chrono::steady_clock;
  uint64_t seen = 0;
  auto since = steady_clock::now();
  while (!ended_.load()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const uint64_t steps = steps_.load();
    const auto now = steady_clock::now();
    if (steps != seen) {
      seen = steps;
      since = now;
    } else if (now - since > std::chrono::seconds(stall_seconds_)) {
      SayAll("FAILURE: no progress in: ");
      _exit(1);
    }
  }
}

}  // namespace ROCKSDB_NAMESPACE::stress
