#!/bin/bash
# Installs a build into a fresh prefix and builds a program against it the four
# ways people do: pkg-config (shared, static) and find_package (both targets),
# and the program of README.md with its command.
#
#   tools/check/install_test.sh BUILD_DIR
set -euo pipefail

build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() { echo "install test: $*" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix" --component development \
  > "$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail "cmake --install failed"; }
pc=$(find "$prefix" -name rocksdb.pc)
[ -n "$pc" ] || fail "no rocksdb.pc below $prefix"
libdir=$(dirname "$(dirname "$pc")")
export PKG_CONFIG_PATH=$libdir/pkgconfig

# Exactly the headers of the tree.
diff -r "$root/include/rocksdb" "$prefix/include/rocksdb" ||
  fail "installed headers differ from include/rocksdb"
[ -e "$libdir/librocksdb.so.11" ] || fail "no librocksdb.so.11 in $libdir"

# The published program with a hundredth of its keys.
mkdir "$work/app"
sed 's/kNum = 10000000/kNum = 100000/' \
  "$root/test/api/programs/concurrent_put.cc" > "$work/app/main.cc"
grep -q 'kNum = 100000;' "$work/app/main.cc" || fail "kNum not found"

# run NAME COMMAND...: the program works and leaves a database behind.
run() {
  local name=$1; shift
  mkdir "$work/run_$name"
  (cd "$work/run_$name" && "$@" parallel > out.txt 2>&1) ||
    { cat "$work/run_$name/out.txt"; fail "$name: the program failed"; }
  grep -q '^used ' "$work/run_$name/out.txt" || fail "$name: no result line"
  if grep -q 'put error' "$work/run_$name/out.txt"; then fail "$name: errors"; fi
  [ -e "$work/run_$name/testdb/CURRENT" ] || fail "$name: no database"
  echo "ok $name"
}

# One version everywhere: header, library, pkg-config, CMake package, tools.
compiler=${CXX:-c++}
cat > "$work/app/versions.cc" <<'CODE'
#include <rocksdb/version.h>

#include <cstdio>
int main() {
  std::printf("%d.%d.%d %d.%d.%d\n%s\n", ROCKSDB_MAJOR, ROCKSDB_MINOR,
              ROCKSDB_PATCH, RIVERSTONE_MAJOR, RIVERSTONE_MINOR,
              RIVERSTONE_PATCH,
              rocksdb::GetRiverstoneBuildInfoAsString().c_str());
}
CODE
read -ra flags <<< "$(pkg-config --cflags --libs rocksdb)"
"$compiler" -std=c++17 "$work/app/versions.cc" "${flags[@]}" \
  -o "$work/versions" || fail "cannot build the program of versions"
{ read -r rocksdb riverstone; read -r info; } \
  <<< "$(LD_LIBRARY_PATH="$libdir" "$work/versions")"
same() { [ "$2" = "$3" ] || fail "$1: expected version '$2', found '$3'"; }
same pkg-config "$rocksdb" "$(pkg-config --modversion rocksdb)"
same pkg-config "$riverstone" \
  "$(pkg-config --variable=riverstone_version rocksdb)"
same CHANGELOG.md "$riverstone" \
  "$(sed -n '/^## [0-9]/{s/^## \([0-9.]*\).*/\1/p;q}' "$root/CHANGELOG.md")"
same README.md "$riverstone" \
  "$(sed -n 's/^This is Riverstone \([0-9.]*\) .*/\1/p' "$root/README.md")"
for tool in ldb sst_dump db_bench iotune; do
  [ -x "$build/$tool" ] || fail "$tool is not built"
  told=$("$build/$tool" --version)
  case $told in *" $rocksdb"*) ;; *) fail "$tool --version: $told" ;; esac
  same "$tool" "$info" "$(tail -n 1 <<< "$told")"
done
case $info in
  "Riverstone $riverstone (commit "*"), compatible with RocksDB $rocksdb") ;;
  *) fail "build info: $info" ;;
esac
echo "ok versions"

read -ra cflags <<< "$(pkg-config --cflags rocksdb)"
read -ra libs <<< "$(pkg-config --libs rocksdb)"
read -ra static_libs <<< "$(pkg-config --static --libs rocksdb)"
"$compiler" -std=c++17 -O1 -c "${cflags[@]}" "$work/app/main.cc" \
  -o "$work/main.o"
"$compiler" "$work/main.o" "${libs[@]}" -pthread -o "$work/shared"
run pkgconfig_shared env LD_LIBRARY_PATH="$libdir" "$work/shared"
"$compiler" -static "$work/main.o" "${static_libs[@]}" -o "$work/static" \
  2> "$work/static.log" || { cat "$work/static.log"; fail "static link"; }
run pkgconfig_static "$work/static"

# The example of the README, as it says there.
sed -n '/^```cpp$/,/^```$/{/^```/d;p}' "$root/README.md" |
  sed "s|/tmp/app|$work/readme_db|" > "$work/app.cc"
command=$(sed -n 's/^c++ \(.* app\.cc .*\)/\1/p' "$root/README.md")
[ -n "$command" ] || fail "README.md: no command that compiles app.cc"
(cd "$work" && eval "$compiler $command") ||
  fail "README.md: cannot build its program"
LD_LIBRARY_PATH=$libdir "$work/a.out" || fail "README.md: its program failed"
[ -e "$work/readme_db/CURRENT" ] || fail "README.md: its program made no database"
echo "ok readme"

# An old version is asked for on purpose: newer packages serve it.
cat > "$work/app/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(app CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(RocksDB 7.8 REQUIRED)
foreach(kind rocksdb rocksdb-shared)
  add_executable(app_${kind} main.cc)
  target_link_libraries(app_${kind} RocksDB::${kind})
endforeach()
if(NOT RIVERSTONE_VERSION STREQUAL "$ENV{RIVERSTONE_EXPECTED}")
  message(FATAL_ERROR "RIVERSTONE_VERSION: ${RIVERSTONE_VERSION}")
endif()
find_package(RocksDB 12.0 QUIET CONFIG)
if(RocksDB_FOUND)
  message(FATAL_ERROR "version 12.0 was accepted")
endif()
CMAKE
{
  RIVERSTONE_EXPECTED=$riverstone cmake -G Ninja -S "$work/app" -B "$work/app/build" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_CXX_COMPILER="$compiler"
  cmake --build "$work/app/build"
} > "$work/app.log" 2>&1 || { cat "$work/app.log"; fail "find_package"; }
run cmake_static "$work/app/build/app_rocksdb"
run cmake_shared "$work/app/build/app_rocksdb-shared"
