// Command: one thing ldb can do.
//
// Place. Each is defined in a file of its own and listed in tool.cc.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "rocksdb/status.h"
#include "tools/ldb/arguments.h"

namespace ROCKSDB_NAMESPACE::ldb {

// How a command ended: well, with a Status, or with a sentence of its own.
class Outcome {
 public:
  Outcome() = default;
  // Implicit, so that commands may return what they got.
  Outcome(const Status& status)  // NOLINT(google-explicit-constructor)
      : ok_(status.ok()), text_(ok_ ? "" : status.ToString()) {}
  static Outcome Fail(std::string text) {
    Outcome outcome;
    outcome.ok_ = false;
    outcome.text_ = std::move(text);
    return outcome;
  }

  bool ok() const { return ok_; }
  const std::string& text() const { return text_; }

 private:
  bool ok_ = true;
  std::string text_;
};

struct Command {
  const char* name;
  const char* usage;  // What follows the name in the help text.
  // Flags it knows in addition to those of every command.
  std::span<const char* const> flags;
  bool needs_db;
  // Prints its result; tool.cc prints the error.
  Outcome (*run)(const Arguments& arguments);
};

extern const Command kApproxSize;
extern const Command kBackup;
extern const Command kBatchPut;
extern const Command kChangeCompactionStyle;
extern const Command kCheckConsistency;
extern const Command kCheckpoint;
extern const Command kCompact;
extern const Command kCreateColumnFamily;
extern const Command kDelete;
extern const Command kDeleteRange;
extern const Command kDropColumnFamily;
extern const Command kDump;
extern const Command kDumpLiveFiles;
extern const Command kDumpWal;
extern const Command kFileChecksumDump;
extern const Command kGet;
extern const Command kGetEntity;
extern const Command kGetProperty;
extern const Command kIdump;
extern const Command kIngestExternSst;
extern const Command kListColumnFamilies;
extern const Command kListFileRangeDeletes;
extern const Command kListLiveFilesMetadata;
extern const Command kLoad;
extern const Command kManifestDump;
extern const Command kMultiGet;
extern const Command kPut;
extern const Command kPutEntity;
extern const Command kQuery;
extern const Command kReduceLevels;
extern const Command kRepair;
extern const Command kRestore;
extern const Command kScan;
extern const Command kUnsafeRemoveSstFile;
extern const Command kUpdateManifest;
extern const Command kWriteExternSst;

}  // namespace ROCKSDB_NAMESPACE::ldb
