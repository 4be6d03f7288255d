// Operation: one step of a history, as data and as one line of text.
//
// Place. Generators make operations, targets execute them, the model says what
// each must answer. Includes nothing of the library, so that programs that
// load a foreign one can use it.
//
// Text. "kind name=value ...", then the inner operations in brackets:
//
//   put f=default k=aab01 v=x7*300
//   batch [ put f=a k=k1 v=1 ; savepoint ; delete f=b k=k2 ; rollback ]
//   transaction i=4 o.end=commit [ put f=a k=k1 v=1 ; get f=a k=k1 ]
//   iterate i=3 k=aab steps=snnp
//
// Bytes other than letters, digits and _ . - * ~ + : are written as %XX.
//
// Values. `value` is a recipe (ExpandValue): "x*300" is x repeated up to 300
// bytes, "x~300" 300 bytes that do not compress, "#7" the number 7 in 8 bytes;
// anything else stands for itself.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

enum class Kind : uint8_t {
  // Writes. Also inner operations of kBatch and kIngest. In families with
  // timestamps also n: the timestamp, newer than those before.
  kPut,           // f k v
  kTimedPut,      // f k v n: the time
  kEntity,        // f k o: columns
  kDelete,        // f k
  kSingleDelete,  // f k
  kDeleteRange,   // f k e; o.files: whole tables go, too
  kMerge,         // f k v
  kSavePoint,     // Inner operations of kBatch only; so are the next two.
  kRollback,
  kPopSavePoint,
  kBatch,         // [writes]
  kEntityGroups,  // k [entities of that key, each of another family]
  kClip,          // f k e: what is outside is deleted, and left by no table
  kIngest,        // [writes, each with i: the file]; o: options of ingestion

  // i: the name; [writes, save points, get (o.update: GetForUpdate), iterate];
  // o.end: commit, rollback, or prepared: left open, over reopenings, too;
  // o.prepare: before it ends. n: how many are left open afterwards. o.time:
  // of its keys in families with timestamps, newer than those before.
  kTransaction,
  // Ends one that was left open. i, n, o.end and o.time as above; [what it
  // wrote].
  kDecide,

  // Point reads; i: a snapshot, 0 for none.
  kGet,               // f k i
  kGetEntity,         // f k i
  kMultiGet,          // [get f k ...] i
  kMultiGetEntity,    // The same.
  kGetMergeOperands,  // f k i: merged by the target
  kKeyMayExist,       // f k

  // Held snapshots and iterators; i: the name of the new one.
  kSnapshot,         // i
  kReleaseSnapshot,  // i
  kNewIterator,      // i f, k e: bounds, n: a snapshot, o: mode
  kIterate,          // i k, s: see Model::Iterate
  kCloseIterator,    // i
  kDump,             // Everything, both ways.

  // What must not change any answer.
  kFlush,         // f, or all families
  kCompactRange,  // f k e o, n: the timestamp up to which o.forget forgets
  kCompactFiles,  // f, n: chooses the files
  kSuggestCompactRange,
  kWait,          // Until nothing is left to do.
  kSetOptions,    // f o
  kSetDbOptions,  // o
  kPauseBackground,
  kContinueBackground,
  kDisableManual,
  kEnableManual,
  kDisableFileDeletions,
  kEnableFileDeletions,
  kLockWal,
  kUnlockWal,
  kSyncWal,
  kFlushWal,
  kVerifyChecksums,
  kProperties,    // f: asks for all and checks what can be checked
  kUpdatesSince,  // n: per mille of the latest sequence
  kApproximateSizes,

  // Copies, answered by their content.
  kTraced,  // [writes, get]: replayed on a copy of what was before.
  kCheckpoint,
  kBackup,
  kReadOnly,
  kSecondary,

  kCreateFamily,  // f
  kImport,        // f: made of the exported tables of o.from
  kDropFamily,    // f
  kReopen,
  kCrash,  // Everything written so far is made durable before.
};

struct Operation {
  Kind kind = Kind::kPut;
  std::string family;                                         // f
  std::string key;                                            // k
  std::string end;                                            // e
  std::string value;                                          // v
  std::string steps;                                          // steps
  uint64_t id = 0;                                            // i
  uint64_t number = 0;                                        // n
  std::vector<std::pair<std::string, std::string>> settings;  // o
  std::vector<Operation> inner;

  // The setting's text, or "" where it is not set.
  std::string Setting(std::string_view name) const;

  bool operator==(const Operation&) const = default;
};

std::string ToText(const Operation& operation);
// False when the text is not an operation.
bool FromText(std::string_view text, Operation* operation);

const char* NameOf(Kind kind);

// What a family's name says of it, the same for all targets: "sums" adds
// numbers, "reversed" is in reverse order; the others append text.
bool AddsNumbers(const std::string& family);
bool IsReversed(const std::string& family);
// "stamped": every entry has a time of its own, and reads are of the newest.
bool HasTimestamps(const std::string& family);
// "folded": upper and lower case are the same; operations spell keys in both,
// and answers show the lower one.
bool IsFolded(const std::string& family);
std::string Folded(std::string bytes);
// Families that every database begins with.
const std::vector<std::string>& FirstFamilies();

// The bytes that a recipe stands for.
std::string ExpandValue(std::string_view recipe);

// Bytes as text without spaces, and back.
std::string Escape(std::string_view bytes);
std::string Unescape(std::string_view text);

// The same, shortened when it is long: what answers show of a value.
std::string Show(std::string_view bytes);

// A checksum of long answers; the same in all programs.
uint64_t Fingerprint(std::string_view bytes,
                     uint64_t seed = 0xcbf29ce484222325ull);

// "-12" etc.; `fallback` where the text is empty.
int64_t NumberOf(std::string_view text, int64_t fallback = 0);

}  // namespace ROCKSDB_NAMESPACE::stress
