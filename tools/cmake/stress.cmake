# The stress programs (test/stress): a library of what they share, and one
# program each. `tools/dev` has a word for each.
set(stress_root ${PROJECT_SOURCE_DIR}/test/stress)
file(GLOB stress_sources CONFIGURE_DEPENDS
  ${stress_root}/options/*.cc ${stress_root}/history/*.cc
  ${stress_root}/target/*.cc ${stress_root}/run/*.cc)
list(FILTER stress_sources EXCLUDE REGEX "_test\\.cc$")
add_library(test_stress STATIC ${stress_sources})
target_link_libraries(test_stress PUBLIC test_support)
target_link_libraries(stress_tests PRIVATE test_stress)

add_executable(metamorphic ${stress_root}/metamorphic/main.cc)
target_link_libraries(metamorphic PRIVATE test_stress)

# The model checker.
file(GLOB model_checker CONFIGURE_DEPENDS ${stress_root}/model_checker/*.cc)
add_executable(stress ${model_checker})
target_link_libraries(stress PRIVATE test_stress)
add_test(NAME stress/model_checker
  COMMAND stress --seed 1 --seeds 3 --seconds 4 --kill 0 --faults 0
    --without LockWAL,GetUpdatesSince
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(stress/model_checker PROPERTIES TIMEOUT 300)
