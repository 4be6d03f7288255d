// Adapters for an Env subclass that overrides file or time methods.
//
// Place. An Env made without a FileSystem gets these two as its FileSystem
// and SystemClock, so that the engine, which only knows those, reaches the
// overridden methods.
// Model. The mirror image of env/composite_env: every FileSystem call becomes
// the Env call of the same name; IOOptions and debug contexts are dropped.
// Threads. As the Env.

#pragma once

#include <memory>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"
#include "rocksdb/system_clock.h"

namespace ROCKSDB_NAMESPACE::engine {

// Both are owned by `env` and live exactly as long.
std::shared_ptr<FileSystem> NewLegacyFileSystem(Env* env);
std::shared_ptr<SystemClock> NewLegacyClock(Env* env);

}  // namespace ROCKSDB_NAMESPACE::engine
