# What `tools/dev cluster` does; tools/dev sources this.
#
# The programs in examples/cluster/ are built against the installed library.
# --peer: the same with RocksDB 11.8.1, which `tools/dev peer` fetches.

CLUSTER_DIR=build/cluster
CLUSTER_PREFIX=$CLUSTER_DIR/prefix

# cometbft_node: grocksdb 1.8.14, which CometBFT uses, is for RocksDB 8. RocksDB 11
# lacks some of the functions it refers to; none of them is called, so symbols are
# bound when they are.
cometbft_node() {
  local prefix=$PWD/$CLUSTER_PREFIX
  export CGO_CFLAGS="-I$prefix/include -DROCKSDB_API_LEVEL=8"
  export CGO_LDFLAGS="-L$prefix/lib -lrocksdb -Wl,-z,lazy"
  export CGO_LDFLAGS_ALLOW='-Wl,-z,lazy'
  run go build -C examples/cluster/cometbft -tags rocksdb,grocksdb_no_link \
    -o "$PWD/$CLUSTER_DIR/node" .
}

# raft_node: bound lazily for the same reason.
raft_node() {
  local prefix=$PWD/$CLUSTER_PREFIX target=$PWD/$CLUSTER_DIR/rust
  export ROCKSDB_LIB_DIR=$prefix/lib ROCKSDB_INCLUDE_DIR=$prefix/include
  export BINDGEN_EXTRA_CLANG_ARGS=-DROCKSDB_API_LEVEL=8
  export RUSTFLAGS='-C relro-level=partial'
  run cargo build --quiet --locked --release --target-dir "$target" \
    --manifest-path examples/cluster/raft/Cargo.toml
  cp "$target/release/raftkv" "$CLUSTER_DIR/raftkv"
}

cluster() {
  local flags=() argument
  setup libclang-dev  # The Rust crate reads c.h with it.
  language_installed go
  language_installed cargo
  build release
  run cmake --install build/release --prefix "$CLUSTER_PREFIX" >/dev/null
  cometbft_node
  raft_node
  for argument in "$@"; do
    if [ "$argument" = --peer ]; then
      peer
      mkdir -p "$CLUSTER_DIR/peer"
      ln -sf ../../peer/librocksdbjni-linux64.so \
        "$CLUSTER_DIR/peer/librocksdb.so.11"
      flags+=(--peer "$CLUSTER_DIR/peer")
    else
      flags+=("$argument")
    fi
  done
  run python3 tools/cluster/cluster.py "${flags[@]}"
}
