# What `tools/dev check`, `fmt` and `tidy` do; tools/dev sources this.

# clang-format and clang-tidy are pip wheels in an environment of their own:
# the system's pip refuses to install next to Debian's packages.
VENV=build/venv
CLANG_VERSION=18.1.8

clang_tool() {
  local tool=$1
  local path=$VENV/bin/$tool
  if [[ $("$path" --version 2>/dev/null) != *"$CLANG_VERSION"* ]]; then
    setup >&2  # python3-venv
    run python3 -m venv "$VENV" >&2
    run "$VENV/bin/python" -m pip install -q --disable-pip-version-check \
      "$tool==$CLANG_VERSION" >&2
  fi
  echo "$path"
}

sources() {
  git ls-files '*.h' '*.cc' | grep -v testdata
}

fmt() {
  local tool
  tool=$(clang_tool clang-format)
  sources | xargs "$tool" -i
}

# What changed is checked source by source, in a build without units; everything
# in the units of the build for tests, because that takes an eighth of the time.
tidy() {
  local tool
  tool=$(clang_tool clang-tidy)
  if [ "${1:-}" = all ]; then
    run cmake --preset dev >/dev/null
    run tools/ci/tidy.py --clang-tidy "$tool" --build build/dev --units
    return
  fi
  run cmake --preset dev -B build/tidy -DRIVERSTONE_UNITY=OFF >/dev/null
  run tools/ci/tidy.py --clang-tidy "$tool" --build build/tidy "$@"
}

# Every script of tools/check, the tests of those of tools/ci, and the
# formatting. unused.py also reads the objects of build/dev, if there are any. A
# failure does not end the list, so one call shows everything that is wrong.
check_sources() {
  local failed=0 script tool
  for script in tools/check/*.py tools/ci/test_*.py; do
    local objects=()
    if [[ $script == */unused.py && -f build/dev/build.ninja ]]; then
      objects=(build/dev)
    fi
    run python3 "$script" "${objects[@]}" || {
      failed=1
      echo "failed: python3 $script${objects[*]:+ ${objects[*]}}"
    }
  done
  tool=$(clang_tool clang-format)
  echo "+ tools/dev fmt"
  sources | xargs "$tool" --dry-run --Werror || {
    failed=1
    echo "failed: tools/dev fmt"
  }
  return $failed
}

# clang-tidy also runs where a script has failed: the next call may be of that
# script alone.
check() {
  local failed=0
  check_sources || failed=1
  [ "${1:-}" = sources ] || tidy "$@"
  return $failed
}
