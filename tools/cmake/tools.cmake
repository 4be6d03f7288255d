# The command-line tools; each folder is one program, linked statically so
# that it can use internals.
find_library(GFLAGS_LIBRARY gflags)
foreach(tool db_bench iotune ldb sst_dump)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tools/${tool}/*.cc)
  if(tool MATCHES "^(ldb|sst_dump)$")  # The rest of it is in the library.
    set(sources ${PROJECT_SOURCE_DIR}/tools/${tool}/main.cc)
  endif()
  if(sources)
    riverstone_units(units ${sources})
    add_executable(${tool} ${units})
    target_link_libraries(${tool} PRIVATE rocksdb riverstone_flags
      ${RIVERSTONE_COMPRESSORS})
    list(APPEND RIVERSTONE_TOOLS ${tool})
  endif()
endforeach()

# Loads the libraries it measures, so it links none.
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/peer_bench/*.cc)
riverstone_units(units ${sources})
add_executable(peer_bench ${units})
target_link_libraries(peer_bench PRIVATE riverstone_flags ${CMAKE_DL_LIBS})
foreach(tool db_bench iotune)
  if(TARGET ${tool})
    target_link_libraries(${tool} PRIVATE ${GFLAGS_LIBRARY})
  endif()
endforeach()

# Loads the library that it compares with.
file(GLOB sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/tools/scheduler_bench/*.cc)
add_executable(scheduler_bench ${sources}
  ${PROJECT_SOURCE_DIR}/tools/peer_bench/api.cc)
target_link_libraries(scheduler_bench PRIVATE rocksdb riverstone_flags
  ${RIVERSTONE_COMPRESSORS} ${CMAKE_DL_LIBS} ${GFLAGS_LIBRARY})

# Loads the library that it measures, so it links none.
add_executable(fillrandom ${PROJECT_SOURCE_DIR}/tools/fillrandom/main.cc
  ${PROJECT_SOURCE_DIR}/tools/peer_bench/api.cc
  ${PROJECT_SOURCE_DIR}/util/histogram.cc)
target_link_libraries(fillrandom PRIVATE riverstone_flags ${CMAKE_DL_LIBS}
  ${GFLAGS_LIBRARY})

# Benchmarks of single parts; not installed.
foreach(bench lookup_scaling cache_bench)
  add_executable(${bench} ${PROJECT_SOURCE_DIR}/tools/${bench}/main.cc)
  target_link_libraries(${bench} PRIVATE rocksdb riverstone_flags
    ${RIVERSTONE_COMPRESSORS})
endforeach()
