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
