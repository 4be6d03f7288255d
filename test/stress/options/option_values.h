// The values that the stress programs try, for every option that has an
// effect.
//
// Place. draw_options.h draws from these lists, and histories change mutable
// options to them. A test (option_values_test.cc) compares them with the field
// tables of db/options: every option that has an effect there has values here,
// or a reason why it has none. So a new option joins the stress programs with
// one line.
//
// Model. Values are text as in an OPTIONS file. Options that are objects have
// words of their own, which apply_options.h explains.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE::stress {

enum class Section : unsigned char {
  kDb,
  kFamily,
  kTable,  // Of BlockBasedTableOptions.
  kRead,   // Of ReadOptions: has no field table, so no test that it is whole.
  kWrite,  // Of WriteOptions, likewise.
};

// The earliest releases that read databases written with a value, and know its
// name.
enum class Since : unsigned char { k7, k11, kOurs };

struct OptionValues {
  const char* name;
  std::vector<const char*> values;
  Since since = Since::k7;
  // Drawn once per option set, because a database written with one value does
  // not open with another.
  bool fixed_for_database = false;
};

std::span<const OptionValues> ValuesOf(Section section);

struct NotDrawn {
  const char* name;
  const char* reason;
};
std::span<const NotDrawn> NotDrawnOf(Section section);

}  // namespace ROCKSDB_NAMESPACE::stress
