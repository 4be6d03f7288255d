# One test binary per folder of test/: every *_test.cc below it, together
# with test/support. Working directory is the source root, so that testdata
# is found by its path in the tree.
find_package(GTest REQUIRED)
include(GoogleTest)

file(GLOB_RECURSE support CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/test/support/*.cc)
list(FILTER support EXCLUDE REGEX "/slow_threads\\.cc$")
riverstone_units(units ${support})
add_library(test_support STATIC ${units})
target_link_libraries(test_support PUBLIC rocksdb riverstone_flags
  ${RIVERSTONE_COMPRESSORS} GTest::gtest)
set(test_seconds 300)
if(RIVERSTONE_SANITIZE)
  set(test_seconds 1200)
endif()

# What the test preset `slow` puts before the libraries of every test.
if(NOT RIVERSTONE_SANITIZE)
  add_library(slow_threads MODULE
    ${PROJECT_SOURCE_DIR}/test/support/slow_threads.cc)
  target_link_libraries(slow_threads PRIVATE riverstone_flags ${CMAKE_DL_LIBS})
endif()

# The simulator: a program, and a library for its tests.
file(GLOB simulator CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/sim/*.cc)
list(FILTER simulator EXCLUDE REGEX "(_test|sim_main)\\.cc$")
riverstone_units(units ${simulator})
add_library(test_sim STATIC ${units}
  ${PROJECT_SOURCE_DIR}/tools/db_bench/catch_up.cc
  ${PROJECT_SOURCE_DIR}/tools/db_bench/load_shape.cc)
target_link_libraries(test_sim PUBLIC rocksdb riverstone_flags
  ${RIVERSTONE_COMPRESSORS})
add_executable(sim ${PROJECT_SOURCE_DIR}/test/sim/sim_main.cc)
target_link_libraries(sim PRIVATE test_sim)

file(GLOB folders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/*)
foreach(folder ${folders})
  cmake_path(GET folder FILENAME name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*_test.cc)
  if(sources)
    riverstone_units(units ${sources})
    add_executable(${name}_tests ${units})
    target_link_libraries(${name}_tests PRIVATE test_support
      GTest::gtest_main GTest::gmock)
    if(RIVERSTONE_SANITIZE)  # Optimized they take 2.6 times as long to compile.
      target_compile_options(${name}_tests PRIVATE -O0)
    endif()
    if(name STREQUAL "db")
      target_sources(db_tests PRIVATE ${folder}/call_counts.cc)
    endif()
    if(name STREQUAL "tools")  # The parts of the programs that have tests.
      add_dependencies(tools_tests ldb sst_dump db_bench iotune fillrandom
        rocksdb-shared)
      foreach(part args catch_up engine_state generator load_shape timeline trial)
        target_sources(tools_tests PRIVATE
          ${PROJECT_SOURCE_DIR}/tools/db_bench/${part}.cc)
      endforeach()
      target_sources(tools_tests PRIVATE
        ${PROJECT_SOURCE_DIR}/tools/peer_bench/report.cc
        ${PROJECT_SOURCE_DIR}/tools/iotune/page.cc
        ${PROJECT_SOURCE_DIR}/tools/iotune/table.cc)
    endif()
    if(name STREQUAL "golden")  # Loads the libraries it asks, links none.
      file(GLOB peer CONFIGURE_DEPENDS ${folder}/peer/*.cc)
      add_executable(peer_dump ${peer})
      target_compile_features(peer_dump PRIVATE cxx_std_20)
      target_link_libraries(peer_dump PRIVATE ${CMAKE_DL_LIBS})
      if(NOT RIVERSTONE_SANITIZE)  # It would report on the other library.
        target_link_libraries(peer_dump PRIVATE riverstone_flags)
      endif()
      add_dependencies(golden_tests peer_dump)
      target_compile_definitions(golden_tests PRIVATE
        RIVERSTONE_PEER_DUMP="$<TARGET_FILE:peer_dump>")
    endif()
    if(name STREQUAL "sim")
      target_link_libraries(sim_tests PRIVATE test_sim)
    endif()
    gtest_discover_tests(${name}_tests
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
      TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${test_seconds})
  endif()
endforeach()
# The C interface: a C99 program against the shared library, which must export
# every function that rocksdb/c.h declares; and, where a RocksDB is installed,
# one program with either library.
file(GLOB c_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/api/c/*.c)
add_executable(c_api_program ${c_sources})
target_link_libraries(c_api_program PRIVATE rocksdb-shared)
target_include_directories(c_api_program PRIVATE ${PROJECT_SOURCE_DIR})
set_target_properties(c_api_program PROPERTIES C_STANDARD 99
  C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_compile_options(c_api_program PRIVATE -pedantic -Wall -Wextra -Werror)
if(RIVERSTONE_SANITIZE)
  target_link_options(c_api_program PRIVATE -fsanitize=${RIVERSTONE_SANITIZE})
endif()
add_test(NAME api/c_program COMMAND test/api/c/run_program.sh
  $<TARGET_FILE:c_api_program> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME api/c_names COMMAND python3 test/api/c/names_test.py
  $<TARGET_FILE:rocksdb-shared> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
if(NOT RIVERSTONE_SANITIZE)
  add_test(NAME api/c_swapPeer COMMAND test/api/c/swap/swap_test.sh
    $<TARGET_FILE:rocksdb-shared> WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_tests_properties(api/c_swapPeer PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Our library against itself: every workload, little data.
add_test(NAME tools/peer_bench COMMAND tools/peer_bench/self_test.sh
  $<TARGET_FILE:peer_bench> $<TARGET_FILE:rocksdb-shared>
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})

add_test(NAME check/layers
  COMMAND python3 tools/check/layers.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME check/sizes
  COMMAND python3 tools/check/sizes.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME check/units
  COMMAND python3 tools/check/units.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME check/prose
  COMMAND python3 tools/check/prose.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME check/phrases
  COMMAND python3 -m unittest discover -s tools/check
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
if(NOT RIVERSTONE_SANITIZE)
  add_test(NAME check/unused
    COMMAND python3 tools/check/unused.py ${PROJECT_BINARY_DIR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
add_test(NAME check/identity
  COMMAND tools/check/identity_test.sh
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME check/warnings
  COMMAND tools/check/warnings_test.sh
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME report/scores
  COMMAND python3 -m unittest discover -s tools/report
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME cluster/judgement
  COMMAND python3 -m unittest discover -s tools/cluster
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
add_test(NAME ci/failures
  COMMAND python3 -m unittest discover -s tools/ci
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
if(NOT RIVERSTONE_SANITIZE)
  add_test(NAME check/install
    COMMAND tools/check/install_test.sh ${PROJECT_BINARY_DIR}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endif()
include(tools/cmake/api_headers.cmake)
