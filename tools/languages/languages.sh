# What `tools/dev languages` does; tools/dev sources this.
#
# The examples in examples/ are built against the installed library and its
# headers, and run. All print what examples/expected.txt says.

LANGUAGES_DIR=build/languages
PREFIX=$LANGUAGES_DIR/prefix

# language_installed PROGRAM: Go and Rust come from their own sites, not from apt.
language_installed() {
  command -v "$1" >/dev/null && return
  echo "tools/dev languages: $1 is not installed (docs/languages.md)" >&2
  return 1
}

# example NAME COMMAND...: runs the command with an empty directory as its last
# argument.
LANGUAGE_RESULTS=()
example() {
  local name=$1 data=$LANGUAGES_DIR/data code=0 begin=$SECONDS
  shift
  rm -rf "$data"
  mkdir -p "$data"
  echo "+ $* $data"
  "$@" "$PWD/$data" >"$LANGUAGES_DIR/output.txt" || code=$?
  diff -u examples/expected.txt "$LANGUAGES_DIR/output.txt" || code=1
  if [ "$code" = 0 ]; then code=passed; else code=FAILED; fi
  LANGUAGE_RESULTS+=("$(printf '%-34s %-6s %4d s' "$name" "$code" \
    $((SECONDS - begin)))")
  [ "$code" = passed ]
}

# Of this release: which functions c.h declares, and in which form.
c_flags() { echo "-I$PWD/$PREFIX/include -DROCKSDB_API_LEVEL=$1"; }

# go_example RELEASE LEVEL MODFILE
go_example() {
  export CGO_CFLAGS CGO_LDFLAGS="-L$PWD/$PREFIX/lib -lrocksdb"
  CGO_CFLAGS=$(c_flags "$2")
  run go build -C examples/go -tags grocksdb_no_link -modfile="$3" \
    -o "$PWD/$LANGUAGES_DIR/example-go-$1" . || return 1
  example "Go, grocksdb $1" "$LANGUAGES_DIR/example-go-$1"
}

# rust_example RELEASE LEVEL
rust_example() {
  local target=$PWD/$LANGUAGES_DIR/rust-$1
  export ROCKSDB_LIB_DIR=$PWD/$PREFIX/lib ROCKSDB_INCLUDE_DIR=$PWD/$PREFIX/include
  export BINDGEN_EXTRA_CLANG_ARGS=-DROCKSDB_API_LEVEL=$2
  run cargo build --quiet --locked --target-dir "$target" \
    --manifest-path "examples/rust/rocksdb-${1%.*}/Cargo.toml" || return 1
  example "Rust, rocksdb $1" "$target/debug/example"
}

languages() {
  local failed=0
  setup libclang-dev  # The Rust crates read c.h with it.
  language_installed go
  language_installed cargo
  build release
  run cmake --install build/release --prefix "$PREFIX" >/dev/null
  export LD_LIBRARY_PATH=$PWD/$PREFIX/lib
  example "Python, ctypes" python3 examples/python/main.py \
    "$PREFIX/lib/librocksdb.so" || failed=1
  go_example 1.7.14 7 rocksdb-7.8.mod || failed=1
  go_example 1.11.1 11 go.mod || failed=1
  rust_example 0.22.0 8 || failed=1
  rust_example 0.25.0 11 || failed=1
  printf '%s\n' "" "${LANGUAGE_RESULTS[@]}"
  return "$failed"
}
