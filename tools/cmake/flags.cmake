# One target carries every flag, so no folder sets flags of its own.
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
endif()

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

add_library(riverstone_flags INTERFACE)
target_compile_features(riverstone_flags INTERFACE cxx_std_20)
target_include_directories(riverstone_flags INTERFACE
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
target_compile_options(riverstone_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
  -fno-semantic-interposition -fno-plt)
if(RIVERSTONE_WERROR)
  target_compile_options(riverstone_flags INTERFACE -Werror)
endif()
if(RIVERSTONE_SANITIZE)  # Under sanitizers GCC 12 takes more for unset than is.
  target_compile_options(riverstone_flags INTERFACE
    -fsanitize=${RIVERSTONE_SANITIZE} -fno-omit-frame-pointer
    -Wno-maybe-uninitialized)
  target_link_options(riverstone_flags INTERFACE
    -fsanitize=${RIVERSTONE_SANITIZE})
endif()
if(RIVERSTONE_TRACE)  # Only for programs that have test/stress/hostile/edges.cc.
  target_compile_options(riverstone_flags INTERFACE
    -fsanitize-coverage=trace-pc)
endif()
find_package(Threads REQUIRED)
target_link_libraries(riverstone_flags INTERFACE Threads::Threads)

# Each compressor is optional; what was found is what the library reports
# through GetSupportedCompressions().
find_package(PkgConfig REQUIRED)
set(RIVERSTONE_COMPRESSORS "")
set(RIVERSTONE_PRIVATE_LIBS "")
function(riverstone_compressor macro header library)
  find_path(${macro}_HEADER ${header})
  find_library(${macro}_LIBRARY ${library})
  if(${macro}_HEADER AND ${macro}_LIBRARY)
    target_compile_definitions(riverstone_flags INTERFACE ${macro})
    list(APPEND RIVERSTONE_COMPRESSORS ${${macro}_LIBRARY})
    set(RIVERSTONE_COMPRESSORS ${RIVERSTONE_COMPRESSORS} PARENT_SCOPE)
    set(RIVERSTONE_PRIVATE_LIBS "${RIVERSTONE_PRIVATE_LIBS} -l${library}"
      PARENT_SCOPE)
  endif()
endfunction()
riverstone_compressor(RIVERSTONE_SNAPPY snappy.h snappy)
riverstone_compressor(RIVERSTONE_LZ4 lz4.h lz4)
riverstone_compressor(RIVERSTONE_ZSTD zstd.h zstd)
riverstone_compressor(RIVERSTONE_ZLIB zlib.h z)
riverstone_compressor(RIVERSTONE_BZIP2 bzlib.h bz2)
