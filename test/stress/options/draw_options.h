// DrawnOptions: a set of options drawn from a seed, as text.
//
// Place. The stress programs open their databases with these. apply_options.h
// turns them into objects of the library; a foreign library gets OptionString.
//
// Model. Each option is left at its default, or gets one of its values
// (option_values.h). Values that contradict each other are repaired, so every
// set can be opened. Options that a database keeps (paths, number of levels)
// are drawn from the seed alone, the others from the seed and the number of
// the opening: one seed describes a whole run.
//
// Threads. Values.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "test/stress/options/option_values.h"

namespace ROCKSDB_NAMESPACE::stress {

// By name, values as text; options at their defaults are absent.
using Settings = std::map<std::string, std::string>;

struct FamilySettings {
  Settings options;
  Settings table;
};

struct DrawnOptions {
  Settings db;
  Settings reads;
  Settings writes;
  // "kind": locking (TransactionDB) or optimistic, and what it is opened with;
  // "trim": OpenAndTrimHistory. Empty: plain.
  Settings transactions;
  std::map<std::string, FamilySettings> families;  // By the family's name.

  // "db: a=b; ... | cf default: ...; table: ... | reads: ...".
  std::string ToString() const;
};

struct DrawRequest {
  uint64_t seed = 0;           // 0: everything at its default.
  uint64_t opening = 0;        // How often the database was opened before.
  Since since = Since::kOurs;  // Oldest reader of the database.
  // Off: no option of the tuner is drawn; families keep the default.
  bool tuner = true;
  bool transactions = false;  // Also the kind of database.
  // Options that stay at their defaults: to find out which matter.
  std::vector<std::string> without;
};

DrawnOptions DrawOptions(const DrawRequest& request,
                         const std::vector<std::string>& families);
// Those of a family that is created later.
FamilySettings DrawFamily(const DrawRequest& request,
                          const std::string& family);

// Repairs what contradicts itself; DrawOptions has done so.
void Repair(Settings* db);
void Repair(const Settings& db, FamilySettings* family);

// A change of mutable options that is legal at any time: name and value.
std::vector<std::pair<std::string, std::string>> MutableChanges(Section section,
                                                                Since since);

// How SetOptions may be told to change an option of a table: as a setting of
// the factory, by either of its names, or as a member of it.
inline constexpr uint64_t kTableSpellings = 4;
std::pair<std::string, std::string> SpellTableChange(const std::string& name,
                                                     const std::string& value,
                                                     uint64_t spelling);

// "a=b;c={...};block_based_table_factory={...}", as GetOptionsFromString and
// the C interface take it. Only what has text in every release.
std::string OptionString(const Settings& db, const FamilySettings& family);

}  // namespace ROCKSDB_NAMESPACE::stress
