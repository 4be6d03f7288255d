// PropertyReader: answers GetProperty and its kin.
//
// Place. Made for one question. Collects numbers under the DB mutex and lets
// db/properties turn them into text without it.
//
// Model. One table of integer properties, each a name and a function; the
// same values answer GetProperty (as text) and GetIntProperty. A property of a
// feature that this release lacks answers 0 instead of failing. A process that
// only reads does not know how the writer is limited: then numbers and maps
// about that are refused, and texts say so.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "db/column_family/db_state.h"
#include "db/db_impl/property_sources.h"
#include "db/db_impl/tuning_link.h"
#include "db/jobs/scheduler.h"
#include "db/properties/stats_text.h"
#include "db/tuning_driver/tuning_report.h"
#include "db/write/commit_pipeline.h"
#include "rocksdb/slice.h"
#include "util/mutex.h"

namespace ROCKSDB_NAMESPACE::engine {

// From when on "rocksdb.stats" counts. Guarded by the DB mutex.
struct StatsBaseline {
  uint64_t start_micros = 0;
  DbStats shown;  // By the last "rocksdb.stats".

  void Reset(uint64_t now_micros) {
    start_micros = now_micros;
    shown = DbStats();
  }
};

class PropertyReader {
 public:
  struct Deps {
    DbState* db = nullptr;
    const CommitPipeline* pipeline = nullptr;
    const JobScheduler* scheduler = nullptr;
    StatsBaseline* baseline = nullptr;
    const TuningLink* tuning = nullptr;
    bool read_only = false;  // Another process may write the database.
  };

  explicit PropertyReader(Deps deps) : deps_(deps) {}

  // False: there is no such property.
  bool Text(const FamilyPtr& family, const Slice& property, std::string* value);
  bool Number(const FamilyPtr& family, const Slice& property, uint64_t* value);
  bool Map(const FamilyPtr& family, const Slice& property,
           std::map<std::string, std::string>* value);
  // The sum of Number() over all families.
  bool Sum(const Slice& property, uint64_t* value);

 private:
  struct IntProperty;
  static const std::map<std::string, IntProperty>& IntProperties();

  std::vector<LevelStatsRow> Levels(ColumnFamily* family) const;
  CfStats FamilyStats(ColumnFamily* family) const REQUIRES_LOCK(kStateLock);
  DbStats DatabaseStats() const;
  std::string StatsText(ColumnFamily* family);
  std::string CfText(ColumnFamily* family);
  std::string DbText();
  std::string Tables(const ColumnFamily& family) const;
  bool IsUnknown(const Slice& property) const;
  bool SourcedText(const FamilyPtr& family, const Slice& property,
                   std::string* value) const;
  // What is read under the mutex.
  bool LockedText(const FamilyPtr& family, const Slice& property,
                  std::string* value);
  // False: not a property about the sum of tables.
  static bool SumFor(const ColumnFamily& family, const Slice& property,
                     TableProperties* sum);
  PropertyMap DbStallMap() const;
  bool LevelText(const FamilyPtr& family, const Slice& name,
                 const Slice& argument, std::string* value) const;
  TuningStateMap TuneState(ColumnFamily* family) const;
  uint64_t Uptime() const;

  const Deps deps_;
  TuningSnapshot tuning_;  // Taken without the mutex, before it.
};

}  // namespace ROCKSDB_NAMESPACE::engine
