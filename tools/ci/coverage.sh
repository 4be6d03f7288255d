# What `tools/dev coverage` does; tools/dev sources this.

# Of the library: lines and branches that all tests reach. Branches that only an
# exception takes are left out: the library throws none.
COVERAGE_FOLDERS=(util env table db api)

coverage() {
  setup "${ORACLES[@]}"
  run cmake --preset coverage
  run cmake --build --preset coverage
  find build/coverage -name '*.gcda' -delete
  local failed=0
  PART_SECONDS=900 tests_in_parts coverage 24 || failed=1
  run ctest --preset coverage -R '^(api/c_|tools/peer_bench)' || failed=1
  [ -x "$VENV/bin/gcovr" ] || {
    [ -x "$VENV/bin/python" ] || run python3 -m venv "$VENV"
    run "$VENV/bin/python" -m pip install -q --disable-pip-version-check \
      gcovr==8.2
  }
  local filters=() folder
  for folder in "${COVERAGE_FOLDERS[@]}"; do filters+=(--filter "$folder/"); done
  run "$VENV/bin/gcovr" --root . --object-directory build/coverage \
    "${filters[@]}" --exclude-throw-branches --exclude-unreachable-branches \
    --gcov-ignore-errors=no_working_dir_found -j "$(nproc)" \
    --txt build/coverage/files.txt --json-summary build/coverage/files.json
  echo "per file: build/coverage/files.txt"
  run python3 tools/ci/coverage_goals.py build/coverage/files.json || failed=1
  [ "$failed" -eq 0 ] || echo "A test or a goal failed, see above" >&2
  return "$failed"
}
