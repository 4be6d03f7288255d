// ClockedEnv: an Env with the files and the clock a test chooses.

#pragma once

#include <memory>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::test {

class ClockedEnv final : public EnvWrapper {
 public:
  ClockedEnv(Env* base, std::shared_ptr<FileSystem> fs,
             std::shared_ptr<SystemClock> clock)
      : EnvWrapper(base) {
    file_system_ = std::move(fs);
    system_clock_ = std::move(clock);
  }
};

}  // namespace ROCKSDB_NAMESPACE::test
