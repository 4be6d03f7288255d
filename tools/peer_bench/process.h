// A child process that answers lines: this program again, with one of the two
// libraries and, the same for both, a preloaded allocator.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>

#include "tools/peer_bench/config.h"

namespace peer_bench {

class Process {
 public:
  // `side` is "ours" or "peer".
  Process(const Config& config, const std::string& side);
  // Tells it to quit and waits.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  // Sends a line, returns the line of the answer. Ends this process if the
  // child is gone: it has said why.
  std::string Ask(const std::string& line);

 private:
  const std::string side_;
  pid_t pid_ = -1;
  FILE* to_ = nullptr;
  FILE* from_ = nullptr;
};

}  // namespace peer_bench
