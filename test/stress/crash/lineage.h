// Lineage: the writes of one database in commit order, and what each column
// family holds after each of them.
//
// Place. The model of the crash explorer. A crash may take writes from the
// end; recovery must leave the first n of them, whatever n is, in all
// families together.
//
// Model. Writes are numbered from 1. Each one puts its number under kMark in
// every family that it touches, so that the marks of a recovered database say
// which n it claims to hold. Families are known by a serial number of their
// own, because names and ids may be used again. Creating and dropping them is
// a second list of events with an order of its own: the MANIFEST's.
//
// A copy shares its rows with the original, so that every crash can go on from
// a copy.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

inline constexpr const char* kMark = "#";

// One record; keys beginning with "m" are only ever merged to and deleted.
struct Record {
  enum class Kind : uint8_t {
    kPut,
    kDelete,
    kSingleDelete,
    kDeleteRange,
    kMerge,
    kEntity
  };
  Kind kind = Kind::kPut;
  uint32_t family = 0;  // Its serial number.
  std::string key;
  std::string value;  // Of a range: its end.
};

struct LoggedWrite {
  std::vector<Record> records;
};

using Rows = std::map<std::string, std::string>;
using RowsPtr = std::shared_ptr<const Rows>;
using FamilyRows = std::map<std::string, Rows>;  // By name.

// How a row of an entity looks in Rows.
std::string EntityRow(const std::string& value);
bool IsEntityRow(const std::string& row);
std::string ValueOfRow(const std::string& row);
// An entity has a second column, which follows from its value.
std::string ColumnOf(const std::string& value);

struct FamilyEvent {
  uint32_t serial = 0;
  std::string name;
  bool drop = false;
};

class Lineage {
 public:
  // Rows to which a batch that is being drawn is applied.
  class Preview {
   public:
    explicit Preview(const Rows& rows) : rows_(rows) {}
    const Rows& get() const { return rows_; }
    void Apply(const Record& record);

   private:
    Rows rows_;
  };

  Lineage();

  // Each change of this object is told as text, which Repeat() understands.
  using Recorder = std::function<void(const std::string& change)>;
  void SetRecorder(Recorder recorder) { recorder_ = std::move(recorder); }
  // False: the text is not one of a change.
  bool Repeat(const std::string& change);

  uint64_t writes() const { return writes_; }
  void Append(const LoggedWrite& write);
  // Forgets the writes after `n`, and families created after `events`.
  void CutTo(uint64_t n, size_t events);
  // Of one family only: it did not log, and lost more than the others.
  void CutFamilyTo(uint32_t family, uint64_t n);

  // A recovery that skips damage left this.
  void Restart(uint32_t family, const Rows& rows);

  // The newest state of `family` that is not newer than write n.
  const Rows& RowsAfter(uint32_t family, uint64_t n) const;
  // The number of the write that made it; 0: none.
  uint64_t LastWriteTo(uint32_t family, uint64_t n) const;
  const Rows& rows(uint32_t family) const { return RowsAfter(family, writes_); }
  // Every value that `key` ever had.
  bool EverHeld(uint32_t family, const std::string& key,
                const std::string& row) const;

  // Serial numbers and names of the families after `events` events.
  std::map<uint32_t, std::string> Families(size_t events) const;
  std::map<uint32_t, std::string> families() const {
    return Families(events_.size());
  }
  size_t events() const { return events_.size(); }
  // Returns its serial number.
  uint32_t Create(const std::string& name);
  void Drop(uint32_t serial);

 private:
  struct State {
    uint64_t write = 0;
    RowsPtr rows;
  };

  enum class Change : uint8_t {
    kAppend,
    kCut,
    kCutFamily,
    kRestart,
    kCreate,
    kDrop
  };
  void Tell(Change change, const std::string& text) const;

  Recorder recorder_;
  uint64_t writes_ = 0;
  uint32_t last_serial_ = 0;
  std::vector<FamilyEvent> events_;
  std::map<uint32_t, std::vector<State>> states_;
  // All values of a key, also those of writes that were lost.
  std::map<uint32_t, std::map<std::string, std::set<std::string>>> ever_;
};

}  // namespace ROCKSDB_NAMESPACE::stress
