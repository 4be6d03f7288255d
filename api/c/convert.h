// How results cross the border between C++ and C: malloc'ed bytes and error
// texts, slices, column family handles.
//
// Place. Helpers of api/c; rocksdb/c.h states the rules they keep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "api/c/handles.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

// Behind a function `Type name(..., char** errptr) try {...}`: no exception
// passes from C++ to C.
#define CAPI_CATCH(Type, errptr)          \
  catch (...) {                           \
    capi_internal::SaveException(errptr); \
    return std::type_identity_t<Type>();  \
  }

namespace capi_internal {

// True if `status` is a failure; then *errptr becomes its text, malloc'ed, in
// place of an older one.
bool SaveError(char** errptr, const capi::Status& status);

// For the catch of a function that C calls: saves what was thrown. Memory that
// was refused becomes Status::MemoryLimit.
void SaveException(char** errptr) noexcept;

// malloc'ed copies: bytes only, and with a zero behind them.
char* CopyBytes(const capi::Slice& bytes);
char* CopyString(const std::string& text);

// A malloc'ed array for so many pointers, never of no bytes; nullptr if memory
// is refused.
template <typename T>
T** NewPointers(size_t count) {
  return static_cast<T**>(
      std::malloc(sizeof(void*) * std::max<size_t>(count, 1)));
}
template <typename T>
void FreePointers(T** array) {
  std::free(reinterpret_cast<void*>(array));
}

// nullptr, or `slice` set to the key: what ranges with open sides want.
const capi::Slice* OptionalKey(const char* key, size_t length,
                               capi::Slice* slice);

inline capi::ColumnFamilyHandle* Family(
    rocksdb_t* db, const rocksdb_column_family_handle_t* handle) {
  return handle != nullptr ? handle->rep : db->rep->DefaultColumnFamily();
}

}  // namespace capi_internal
