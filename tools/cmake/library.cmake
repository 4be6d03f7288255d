# One object library per layer, combined into the shared and the static one.
# tools/check/layers.py holds the direction of includes.
set(RIVERSTONE_LAYERS util env table db api)
set(RIVERSTONE_OBJECTS "")
foreach(layer ${RIVERSTONE_LAYERS})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${layer}/*.cc)
  if(sources)
    riverstone_units(units ${sources})
    add_library(riverstone_${layer} OBJECT ${units})
    target_link_libraries(riverstone_${layer} PUBLIC riverstone_flags)
    # Inside the library an ignored Status is an error.
    target_compile_definitions(riverstone_${layer} PRIVATE RIVERSTONE_LIBRARY)
    list(APPEND RIVERSTONE_OBJECTS $<TARGET_OBJECTS:riverstone_${layer}>)
  endif()
endforeach()

# What is built, in one source file, so that a new commit compiles only that.
set(identity ${PROJECT_BINARY_DIR}/identity/build_identity.cc)
add_custom_target(riverstone_identity
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUTPUT=${identity}
    -P ${PROJECT_SOURCE_DIR}/tools/cmake/write_identity.cmake
  BYPRODUCTS ${identity} COMMENT "")
target_sources(riverstone_util PRIVATE ${identity})

# ldb and sst_dump are functions of the library (rocksdb/ldb_tool.h).
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/ldb/*.cc
  ${PROJECT_SOURCE_DIR}/tools/sst_dump/*.cc)
list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
riverstone_units(units ${sources})
add_library(riverstone_tools OBJECT ${units})
target_link_libraries(riverstone_tools PUBLIC riverstone_flags)
list(APPEND RIVERSTONE_OBJECTS $<TARGET_OBJECTS:riverstone_tools>)

add_library(rocksdb STATIC ${RIVERSTONE_OBJECTS})
add_library(rocksdb-shared SHARED ${RIVERSTONE_OBJECTS})
foreach(library rocksdb rocksdb-shared)
  set_target_properties(${library} PROPERTIES OUTPUT_NAME rocksdb
    LINKER_LANGUAGE CXX)
  target_include_directories(${library} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${library} PRIVATE
    $<BUILD_INTERFACE:riverstone_flags> ${RIVERSTONE_COMPRESSORS}
    PUBLIC Threads::Threads)
endforeach()
set_target_properties(rocksdb-shared PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 11)
