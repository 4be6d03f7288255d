// The old name of backup_engine.h, for programs written before 7.0.
#pragma once

#include "rocksdb/utilities/backup_engine.h"

namespace ROCKSDB_NAMESPACE ROCKSDB_API {

using BackupableDBOptions = BackupEngineOptions;

}  // namespace ROCKSDB_NAMESPACE ROCKSDB_API
