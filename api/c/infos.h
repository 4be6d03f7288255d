// What listeners and tables report, as opaque types of C: a view of the C++
// object, which belongs to whatever reported it.
//
// Place. Included by the files of api/c that read or hand out such objects.
//
//   VALUE(object, name, type, member)   a number; booleans become 0 or 1
//   TEXT(object, name, member)          bytes that belong to the object
//
// make rocksdb_OBJECT_NAME(const rocksdb_OBJECT_t*).
#pragma once

#include "api/c/handles.h"
#include "rocksdb/listener.h"
#include "rocksdb/table_properties.h"

struct rocksdb_table_properties_t {
  capi::TableProperties rep;
};
struct rocksdb_blob_file_addition_info_t {
  capi::BlobFileAdditionInfo rep;
};
struct rocksdb_blob_file_garbage_info_t {
  capi::BlobFileGarbageInfo rep;
};
struct rocksdb_compaction_file_info_t {
  capi::CompactionFileInfo rep;
};
struct rocksdb_compaction_job_stats_t {
  capi::CompactionJobStats rep;
};
struct rocksdb_compactionjobinfo_t {
  capi::CompactionJobInfo rep;
};
struct rocksdb_subcompactionjobinfo_t {
  capi::SubcompactionJobInfo rep;
};
struct rocksdb_flushjobinfo_t {
  capi::FlushJobInfo rep;
};
struct rocksdb_memtableinfo_t {
  capi::MemTableInfo rep;
};
struct rocksdb_externalfileingestioninfo_t {
  capi::ExternalFileIngestionInfo rep;
};
struct rocksdb_writestallinfo_t {
  capi::WriteStallInfo rep;
};
struct rocksdb_writestallcondition_t {
  capi::WriteStallCondition rep;
};

namespace capi_internal {

// The object as C sees it.
template <typename View, typename Object>
const View* ViewOf(const Object& object) {
  static_assert(std::is_same_v<decltype(View::rep), Object> &&
                sizeof(View) == sizeof(Object));
  return reinterpret_cast<const View*>(&object);
}

inline const char* TextOf(const std::string& text, size_t* size) {
  *size = text.size();
  return text.data();
}

}  // namespace capi_internal

// NOLINTBEGIN(bugprone-macro-parentheses): declarations.
#define VALUE(object, name, type, member)                            \
  type rocksdb_##object##_##name(const rocksdb_##object##_t* info) { \
    return static_cast<type>(info->rep.member);                      \
  }
#define TEXT(object, name, member)                                        \
  const char* rocksdb_##object##_##name(const rocksdb_##object##_t* info, \
                                        size_t* size) {                   \
    return capi_internal::TextOf(info->rep.member, size);                 \
  }
// NOLINTEND(bugprone-macro-parentheses)
