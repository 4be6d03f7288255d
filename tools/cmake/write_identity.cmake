# Writes OUTPUT, the one source file that knows the commit that is built, and
# leaves it alone while neither the commit nor a source of the library changes.
# Every build runs this:
#
#   cmake -DSOURCE=<source tree> -DOUTPUT=<file> -P write_identity.cmake
#
# There are two dates, of the commit and of the build. With SOURCE_DATE_EPOCH in
# the environment the second is that, so that a commit gives the same bytes. A
# tree made by `git archive` has the commit and its date in commit.txt; without
# that and without git they are "unknown".
cmake_minimum_required(VERSION 3.25)
set(library api db env include table util tools/ldb tools/sst_dump)
set(commit unknown)
set(date unknown)

function(git result)
  execute_process(COMMAND git -C ${SOURCE} ${ARGN} RESULT_VARIABLE code
    OUTPUT_VARIABLE text ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT code EQUAL 0)
    set(text "")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
  set(git_code "${code}" PARENT_SCOPE)
endfunction()

# An unpacked archive may lie inside some other repository.
file(REAL_PATH ${SOURCE} source)
git(top rev-parse --show-toplevel)
if(top STREQUAL source)
  git(told log -1 "--format=%H %ct")
  git(ignored diff --quiet HEAD)
  set(modified "")
  if(NOT git_code EQUAL 0)
    set(modified "-modified")
    git(changes diff HEAD -- ${library})
  endif()
else()
  file(READ ${SOURCE}/tools/cmake/commit.txt told)
endif()

# What the build date belongs to.
string(SHA1 state "${told} ${modified} ${changes} $ENV{SOURCE_DATE_EPOCH}")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
  string(FIND "${old}" "${state}" at)
  if(NOT at EQUAL -1)
    return()
  endif()
endif()

string(TIMESTAMP built "%Y-%m-%d %H:%M:%S" UTC)
if(told MATCHES "^([0-9a-f]+) ([0-9]+)")
  set(commit "${CMAKE_MATCH_1}${modified}")
  set(ENV{SOURCE_DATE_EPOCH} ${CMAKE_MATCH_2})  # What TIMESTAMP formats.
  string(TIMESTAMP date "%Y-%m-%d %H:%M:%S" UTC)
endif()

file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Made by tools/cmake/write_identity.cmake from @state@.
#include \"util/build_identity.h\"

namespace ROCKSDB_NAMESPACE::engine {

const BuildIdentity kBuildIdentity = {
    \"@commit@\", \"@date@\", \"@built@\"};

}  // namespace ROCKSDB_NAMESPACE::engine
")
