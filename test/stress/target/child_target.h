// ChildTarget: any RocksDB library, in a process of its own (stress_peer).
//
// Model. Answers come within a time; a process that ends or hangs answers with
// that and its library's name, and is no more used. An operation is one line
// each way.
//
// Threads. One at a time.

#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "test/stress/target/target.h"

namespace ROCKSDB_NAMESPACE::stress {

class ChildTarget final : public Target {
 public:
  struct Deps {
    std::string program;  // stress_peer
    std::string library;
    std::string path;  // Of the database.
    int stall_seconds = 20;
  };

  explicit ChildTarget(Deps deps) : deps_(std::move(deps)) {}
  ~ChildTarget() override;

  std::string Open(const Opening& opening) override;
  std::string Close() override;
  std::string Execute(const Operation& operation) override;

  const std::string& library() const { return deps_.library; }
  // Whether the answer says that this library's process ended or hung.
  bool Names(const std::string& answer) const;

 private:
  bool Start();
  int Stop();  // How it ended, as waitpid tells it.
  std::string Name() const;
  std::string Lost();  // The answer of a process that ended by itself.
  std::string Ask(const std::string& line);

  const Deps deps_;
  Opening opening_;
  pid_t process_ = -1;
  int in_ = -1;
  int out_ = -1;
  std::string read_;  // Behind the last line.
};

}  // namespace ROCKSDB_NAMESPACE::stress
