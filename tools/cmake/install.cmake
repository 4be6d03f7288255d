# What `cmake --install` lays down: headers, both libraries, the CMake package
# RocksDB (targets RocksDB::rocksdb and RocksDB::rocksdb-shared), rocksdb.pc
# (component development), and the tools (component tools).
# tools/check/install_test.sh builds programs against the former.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rocksdb
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS rocksdb rocksdb-shared EXPORT RocksDBTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(RIVERSTONE_TOOLS)
  install(TARGETS ${RIVERSTONE_TOOLS} DESTINATION ${CMAKE_INSTALL_BINDIR}
    COMPONENT tools)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rocksdb)
install(EXPORT RocksDBTargets NAMESPACE RocksDB:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/tools/cmake/config.cmake.in
  ${PROJECT_BINARY_DIR}/RocksDBConfig.cmake INSTALL_DESTINATION ${package_dir})
configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/version.cmake.in
  ${PROJECT_BINARY_DIR}/RocksDBConfigVersion.cmake @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/RocksDBConfig.cmake
  ${PROJECT_BINARY_DIR}/RocksDBConfigVersion.cmake DESTINATION ${package_dir})

# The way from lib/pkgconfig up to the prefix, so that the tree can be moved.
file(RELATIVE_PATH RIVERSTONE_PC_PREFIX
  /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(${PROJECT_SOURCE_DIR}/tools/cmake/rocksdb.pc.in
  ${PROJECT_BINARY_DIR}/rocksdb.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/rocksdb.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
