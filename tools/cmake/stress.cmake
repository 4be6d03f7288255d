# The stress programs (test/stress): a library of what they share, and one
# program each. `tools/dev` has a word for each.
set(stress_root ${PROJECT_SOURCE_DIR}/test/stress)
file(GLOB stress_sources CONFIGURE_DEPENDS
  ${stress_root}/options/*.cc ${stress_root}/history/*.cc
  ${stress_root}/target/*.cc ${stress_root}/run/*.cc)
list(FILTER stress_sources EXCLUDE REGEX "_test\\.cc$")
riverstone_units(units ${stress_sources})
add_library(test_stress STATIC ${units})
target_link_libraries(test_stress PUBLIC test_support)
target_link_libraries(stress_tests PRIVATE test_stress)

add_executable(metamorphic ${stress_root}/metamorphic/main.cc)
target_link_libraries(metamorphic PRIVATE test_stress)
add_test(NAME stress/metamorphic
  COMMAND metamorphic --seed 1 --seeds 3 --sets 4 --operations 1000 --stall 60
    --no-reduce
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(stress/metamorphic PROPERTIES TIMEOUT ${test_seconds})

# The model checker.
file(GLOB model_checker CONFIGURE_DEPENDS ${stress_root}/model_checker/*.cc)
list(FILTER model_checker EXCLUDE REGEX "_test\\.cc$")
target_sources(stress_tests PRIVATE ${stress_root}/model_checker/content.cc
  ${stress_root}/model_checker/run_filter.cc)
riverstone_units(units ${model_checker})
add_executable(stress ${units})
target_link_libraries(stress PRIVATE test_stress)
# A minute: the other tests, or delayed threads, may leave it little of the
# machine.
add_test(NAME stress/model_checker
  COMMAND stress --seed 1 --seeds 3 --seconds 4 --stall_seconds 60
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(stress/model_checker PROPERTIES TIMEOUT ${test_seconds})

# Loads the libraries it asks, links none.
file(GLOB peer CONFIGURE_DEPENDS ${stress_root}/peer/*.cc)
add_executable(stress_peer ${peer} ${stress_root}/history/operation.cc
  ${stress_root}/history/answers.cc)
target_link_libraries(stress_peer PRIVATE riverstone_flags ${CMAKE_DL_LIBS})

add_executable(differential ${stress_root}/differential/main.cc)
target_link_libraries(differential PRIVATE test_stress)
add_dependencies(differential stress_peer rocksdb-shared)

# Crash explorer and fault injection.
file(GLOB crash_sources CONFIGURE_DEPENDS
  ${stress_root}/crash/*.cc ${stress_root}/seeds/*.cc)
list(FILTER crash_sources EXCLUDE REGEX "/main\\.cc$")
add_library(test_stress_crash STATIC ${crash_sources})
target_link_libraries(test_stress_crash PUBLIC test_stress)
add_executable(crash ${stress_root}/crash/main.cc)
target_link_libraries(crash PRIVATE test_stress_crash)
file(GLOB fault_sources CONFIGURE_DEPENDS ${stress_root}/faults/*.cc)
add_executable(faults ${fault_sources})
target_link_libraries(faults PRIVATE test_stress_crash)

# Hostile bytes: the targets are a library, so that tests replay the corpus.
file(GLOB hostile CONFIGURE_DEPENDS ${stress_root}/hostile/*.cc)
list(FILTER hostile EXCLUDE REGEX "(_test|main)\\.cc$")
add_library(test_hostile STATIC ${hostile}
  ${PROJECT_SOURCE_DIR}/test/hostile/allocations.cc)
target_link_libraries(test_hostile PUBLIC test_support)
target_link_libraries(hostile_tests PRIVATE test_hostile)
add_executable(hostile ${stress_root}/hostile/main.cc)
target_link_libraries(hostile PRIVATE test_hostile)
