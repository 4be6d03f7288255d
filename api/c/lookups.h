// Lookups of many keys: the arrays that C passes, and what becomes of each
// key's status.
//
// Place. Shared by the files of api/c that read.
#pragma once

#include <cstddef>

#include "api/c/convert.h"

namespace capi_internal {

// What the caller asks for.
struct KeyLists {
  const rocksdb_column_family_handle_t* const* families;  // Null: default.
  size_t count;
  const char* const* keys;
  const size_t* sizes;
};

// Where the answers go.
struct AnswerLists {
  char** values;
  size_t* sizes;
  char** errs;
};

// Status to an element of `errs`; true if there is a value.
inline bool Answered(const capi::Status& status, char** err) {
  *err = nullptr;
  if (status.ok()) return true;
  if (!status.IsNotFound()) *err = CopyString(status.ToString());
  return false;
}

// For the catch of a lookup of many keys: what was thrown is the error of all.
template <typename Value>
void SaveForEach(size_t count, Value** values, char** errs) noexcept {
  for (size_t i = 0; i < count; ++i) {
    values[i] = nullptr;
    errs[i] = nullptr;
    SaveException(&errs[i]);
  }
}

}  // namespace capi_internal
