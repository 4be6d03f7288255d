# Each public header alone, as a C++17 program would include it. A header that
# another release has installed in the system must not stand in for one that is
# missing here, so the includes are checked against the tree first.
file(GLOB_RECURSE headers RELATIVE ${PROJECT_SOURCE_DIR}/include
  CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/rocksdb/*.h)
set(alone "")
foreach(header ${headers})
  file(STRINGS ${PROJECT_SOURCE_DIR}/include/${header} includes
    REGEX "^#include \"")
  foreach(line ${includes})
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" target "${line}")
    if(NOT EXISTS ${PROJECT_SOURCE_DIR}/include/${target})
      message(SEND_ERROR "include/${header}: no ${target} in include/")
    endif()
  endforeach()
  string(MAKE_C_IDENTIFIER ${header} name)
  set(source ${PROJECT_BINARY_DIR}/api_headers/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"@header@\"\n" @ONLY)
  list(APPEND alone ${source})
endforeach()

add_library(api_headers OBJECT ${alone})
target_include_directories(api_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
target_compile_features(api_headers PRIVATE cxx_std_17)
set_target_properties(api_headers PROPERTIES CXX_STANDARD 17
  CXX_EXTENSIONS OFF UNITY_BUILD OFF)
target_compile_options(api_headers PRIVATE -O0 -Wall -Wextra -Werror)
