#include "tools/peer_bench/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

namespace peer_bench {

namespace {

[[noreturn]] void Fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

// After fork: becomes the child program.
[[noreturn]] void Become(const Config& config, const std::string& side) {
  std::vector<std::string> words = {"peer_bench", "--child=" + side,
                                    "--allocator=none"};
  for (std::string& flag : FlagsOf(config)) words.push_back(std::move(flag));
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  if (!config.allocator.empty()) {
    setenv("LD_PRELOAD", config.allocator.c_str(), 1);
  }
  execv("/proc/self/exe", argv.data());
  Fail("exec");
}

}  // namespace

Process::Process(const Config& config, const std::string& side) : side_(side) {
  int down[2], up[2];
  if (pipe(down) != 0 || pipe(up) != 0) Fail("pipe");
  pid_ = fork();
  if (pid_ < 0) Fail("fork");
  if (pid_ == 0) {
    dup2(down[0], STDIN_FILENO);
    dup2(up[1], STDOUT_FILENO);
    for (int fd : {down[0], down[1], up[0], up[1]}) close(fd);
    Become(config, side);
  }
  close(down[0]);
  close(up[1]);
  to_ = fdopen(down[1], "w");
  from_ = fdopen(up[0], "r");
}

Process::~Process() {
  std::fprintf(to_, "quit\n");
  std::fclose(to_);
  std::fclose(from_);
  int status = 0;
  waitpid(pid_, &status, 0);
}

std::string Process::Ask(const std::string& line) {
  std::fprintf(to_, "%s\n", line.c_str());
  std::fflush(to_);
  std::string answer;
  for (int c = std::fgetc(from_); c != '\n'; c = std::fgetc(from_)) {
    if (c == EOF) {
      std::fprintf(stderr, "peer_bench: the process of %s has ended\n",
                   side_.c_str());
      std::exit(1);
    }
    answer.push_back(static_cast<char>(c));
  }
  return answer;
}

}  // namespace peer_bench
