// The arrays of column families that an open takes and gives back.
//
// Place. Shared by the files of api/c that open databases.
#pragma once

#include <vector>

#include "api/c/handles.h"

namespace capi_internal {

struct Families {
  int count;
  const char* const* names;
  const rocksdb_options_t* const* options;

  std::vector<capi::ColumnFamilyDescriptor> Descriptors() const {
    std::vector<capi::ColumnFamilyDescriptor> result;
    result.reserve(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
      result.emplace_back(names[i], capi::ColumnFamilyOptions(options[i]->rep));
    }
    return result;
  }
};

inline void GiveHandles(const std::vector<capi::ColumnFamilyHandle*>& handles,
                        rocksdb_column_family_handle_t** out) {
  for (size_t i = 0; i < handles.size(); ++i) {
    out[i] = new rocksdb_column_family_handle_t{handles[i]};
  }
}

}  // namespace capi_internal
