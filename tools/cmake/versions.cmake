# The two versions, read from the header, so that it, the package, the tools and
# the library cannot disagree: RIVERSTONE_VERSION is ours, ROCKSDB_VERSION that
# of the RocksDB whose interface we have.
set(version_header ${CMAKE_CURRENT_SOURCE_DIR}/include/rocksdb/version.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${version_header})
file(READ ${version_header} version_text)
foreach(name RIVERSTONE ROCKSDB)
  set(${name}_VERSION "")
  foreach(part MAJOR MINOR PATCH)
    # The first match is that of the newest ROCKSDB_API_LEVEL.
    if(NOT version_text MATCHES "#define ${name}_${part} ([0-9]+)")
      message(FATAL_ERROR "${version_header}: no ${name}_${part}")
    endif()
    string(APPEND ${name}_VERSION ".${CMAKE_MATCH_1}")
  endforeach()
  string(SUBSTRING "${${name}_VERSION}" 1 -1 ${name}_VERSION)
endforeach()
