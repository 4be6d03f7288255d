// How answers are written, and how an iterator is walked: the same for the
// model and for all targets.
//
// Place. Includes nothing of the library, as operation.h.
//
// Model. An answer is one line. kAny stands for every answer: the model says it
// where options decide, a target where its interface does not tell.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "test/stress/history/operation.h"

namespace ROCKSDB_NAMESPACE::stress {

inline constexpr char kOk[] = "OK";
inline constexpr char kNotFound[] = "NotFound";
inline constexpr char kAny[] = "?";

bool SameAnswer(std::string_view expected, std::string_view answer);

// A plain value as itself, an entity as "{name:value,...}".
std::string ShowColumns(const std::map<std::string, std::string>& columns);

// "default 3 rows 1f0a...": what kDump and copies answer, per family.
class DumpAnswer {
 public:
  void Family(const std::string& name);
  void Row(std::string_view key, std::string_view shown);
  void Error(const std::string& what) { text_ += " ERROR " + what; }
  std::string Finish();

 private:
  void EndFamily();

  std::string text_;
  std::string family_;
  uint64_t rows_ = 0;
  uint64_t hash_ = 0;
  bool open_ = false;
};

// What is walked.
class Cursor {
 public:
  virtual ~Cursor() = default;

  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;
  virtual void Seek(const std::string& key) = 0;
  virtual void SeekForPrev(const std::string& key) = 0;
  virtual void Next() = 0;
  virtual void Prev() = 0;
  virtual void Refresh() = 0;
  virtual bool Valid() = 0;
  virtual std::string Key() = 0;
  virtual std::string Shown() = 0;  // The value.
  virtual std::string Error() = 0;  // "" when there is none.
};

// A held iterator: the cursor, and what its mode hides.
//
// Steps: f SeekToFirst, l SeekToLast, s Seek(key), r SeekForPrev(key), n Next,
// p Prev, R Refresh. Without a row n and p do nothing. In mode "prefix" only s
// and n are used, and rows without the first kPrefix bytes of the key are not
// shown, because whether the iterator shows them depends on options.
class Walk {
 public:
  static constexpr size_t kPrefix = 3;

  Walk(std::unique_ptr<Cursor> cursor, std::string_view mode)
      : cursor_(std::move(cursor)), prefix_mode_(mode == "prefix") {}

  // "key=value key=value -": what each step showed.
  std::string Iterate(const Operation& operation);

 private:
  bool Valid();
  void Step(char step, const std::string& key);

  std::unique_ptr<Cursor> cursor_;
  bool prefix_mode_;
  bool placed_ = false;
  std::string prefix_;
};

// All rows of a family, both ways, into the answer.
void DumpFamily(const std::string& name, Cursor* cursor, DumpAnswer* answer);

}  // namespace ROCKSDB_NAMESPACE::stress
