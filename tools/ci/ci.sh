# What `tools/dev ci` and .ci/run do; tools/dev sources this.
#
# Always: every check, the tests of dev, the short form of every test program,
# clang-tidy of what changed. Then one of three, by turns: slow threads (dev),
# asan, tsan. So three landings see all of them.

# Each is a word of tools/dev that takes --short, and prints one line
# "total: ..." that the summary repeats.
TEST_PROGRAMS=()
TIDY_MINUTES=10
CI_STATE=build/ci
CI_TURNS=(slow asan tsan)
# Under the sanitizers: the suites in which threads, files and damaged bytes
# meet. The full set is `tools/dev test asan` and `tools/dev test tsan`.
SANITIZED_TARGETS=(util_tests env_tests table_tests db_tests crash_tests
  hostile_tests)

# The turn after the last one here; in a fresh clone, the number of commits
# decides.
ci_turn() {
  local last count
  last=$(cat "$CI_STATE/turn" 2>/dev/null || echo)
  count=$(git rev-list --count HEAD)
  case $last in
    slow) echo asan ;;
    asan) echo tsan ;;
    tsan) echo slow ;;
    *) echo "${CI_TURNS[count % 3]}" ;;
  esac
}

# fast_tests PRESET [PATTERN]: what is built of the tests, but not the slow ones
# and those of the pattern. Many run in one process: starting one for each takes
# longer than most tests do.
fast_tests() {
  local preset=$1 begin=$SECONDS slow program shard
  slow=$(sed '/^#/d;s/ .*//' test/slow_tests.txt | paste -sd:)
  export GTEST_FILTER="-$slow:${2:-}" GTEST_TOTAL_SHARDS
  GTEST_TOTAL_SHARDS=$(nproc)
  for program in "build/$preset"/*_tests; do
    for ((shard = 0; shard < GTEST_TOTAL_SHARDS; ++shard)); do
      printf '%s %s\n' "$shard" "$program"
    done
  done | run xargs -P "$(nproc)" -L 1 tools/ci/shard.sh
  echo "total: fast tests of $preset in $((SECONDS - begin)) s"
}

# phase NAME COMMAND...: runs it, notes how long it took and whether it passed.
CI_SUMMARY=()
CI_FAILED=0
phase() {
  local name=$1 begin=$SECONDS result=passed
  shift
  printf '\n== %s\n' "$name"
  # A subshell of its own, so that -e holds in it.
  set +e
  (set -e; "$@") 2>&1 | tee "$CI_STATE/log"
  [ "${PIPESTATUS[0]}" -eq 0 ] || { result=FAILED; CI_FAILED=1; }
  set -e
  CI_SUMMARY+=("$(printf '%-24s %-7s %4d s' "$name" "$result" \
    $((SECONDS - begin)))")
  while IFS= read -r line; do
    CI_SUMMARY+=("    $line")
  done < <(grep -E '^(total:|[0-9]+% tests passed|Left out after)' \
    "$CI_STATE/log")
}

# Under a sanitizer: the fast tests, without those of other libraries.
sanitized_tests() {
  setup
  run cmake --preset "$1"
  run cmake --build --preset "$1" --target "${SANITIZED_TARGETS[@]}"
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    TSAN_OPTIONS=second_deadlock_stack=1 fast_tests "$1" "*Peer*"
}

ci_turn_tests() {
  case $1 in
    slow) run_slow_tests 1 ;;
    *) sanitized_tests "$1" ;;
  esac
}

ci() {
  local turn program
  mkdir -p "$CI_STATE"
  turn=$(ci_turn)
  echo "commit $(git rev-parse --short HEAD); this landing's turn: $turn" \
    "(of ${CI_TURNS[*]})"
  phase checks check_sources
  phase "dev tests" run_tests dev
  for program in "${TEST_PROGRAMS[@]}"; do
    phase "$program" tools/dev "$program" --short
  done
  phase "turn: $turn" ci_turn_tests "$turn"
  phase clang-tidy tidy --minutes "$TIDY_MINUTES"
  printf '\n== summary of %s\n' "$(git rev-parse --short HEAD)"
  printf '%s\n' "${CI_SUMMARY[@]}" "all: $SECONDS s"
  [ "$CI_FAILED" -eq 0 ] || return 1
  echo "$turn" >"$CI_STATE/turn"
  git rev-parse HEAD >"$CI_STATE/passed"
}
