# What `tools/dev ci` and .ci/run do; tools/dev sources this.
#
# What has one answer for one tree decides: the checks, a release build (asserts
# are off there, and warnings differ), clang-tidy, all tests, fixed seeds of the
# test programs, and the fast tests under asan. It runs first, and after a failure
# the rest is skipped.
#
# What explores only reports: new seeds, threads at random, slow threads, tsan.
# What it finds goes into the Open table of docs/soak.md with the next commit, and
# is fixed before anything new is built.
#
# The last lines say what failed, what each failure printed last, and the command
# that repeats it.

# A word of tools/dev and its flags. These decide. On two idle cores, after the
# build, they took 39 seconds (124,000 operations under 64 option sets), 80 (54,000
# crash states), 13 (300 kills), 50 (10,700 faults), 4 (1,000,000 damaged inputs)
# and 15 (18 histories through us and genuine releases of RocksDB).
DECIDING_PROGRAMS=(
  "metamorphic --seed 1 --seeds 8"
  "crash --seed 1 --seeds 90"
  "crash --seed 1 --kills 300"
  "faults --seed 1 --seeds 110"
  "hostile --inputs 1000000"
  "differential --seed 1 --seeds 4 --operations 500 --no-reduce"
)
# SEED stands for a number made of the commit's name, so every commit tries a new
# one.
EXPLORING_PROGRAMS=(
  "stress --seed SEED --seeds 6 --seconds 40"
  "metamorphic --seed SEED --seeds 4"
  "crash --seed SEED --seeds 20 --seconds 45"
  "faults --seed SEED --seeds 20 --seconds 45"
  "hostile --inputs 300000 --seed SEED"
)
# clang-tidy takes up to so long; what it leaves out is first in the next run.
TIDY_MINUTES=5
# What decides fails if a phase takes longer.
DECIDE_MINUTES=40
# What explores is begun only before this minute of the run. Each phase of it is
# done after one or two minutes, and is ended after so many.
EXPLORE_UNTIL_MINUTE=32
EXPLORE_MINUTES=6
TURN_MINUTES=12
CI_STATE=build/ci
CI_TURNS=(slow tsan)
# Under the sanitizers: the suites in which threads, files, damaged bytes and
# refused memory meet. The full set is `tools/dev test asan` and `tools/dev test tsan`.
SANITIZED_TARGETS=(util_tests env_tests table_tests db_tests crash_tests
  hostile_tests memory_tests)

# The turn after the last one taken here; in a fresh clone, the number of commits
# decides.
ci_turn() {
  local count
  count=$(git rev-list --count HEAD)
  case $(cat "$CI_STATE/turn" 2>/dev/null) in
    slow) echo tsan ;;
    tsan) echo slow ;;
    *) echo "${CI_TURNS[count % 2]}" ;;
  esac
}

# tests_in_parts PRESET PARTS: runs the test programs that are built, each in so
# many parts. Many tests run in one process, because starting a process takes
# longer than most tests.
tests_in_parts() {
  local program shard
  export GTEST_TOTAL_SHARDS=$2
  for program in "build/$1"/*_tests; do
    for ((shard = 0; shard < GTEST_TOTAL_SHARDS; ++shard)); do
      printf '%s %s\n' "$shard" "$program"
    done
  done | run xargs -P "$(nproc)" -L 1 tools/ci/shard.sh
}

# fast_tests PRESET [PATTERN]: without the slow tests and those of the pattern.
fast_tests() {
  local preset=$1 begin=$SECONDS slow
  slow=$(sed '/^#/d;s/ .*//' test/slow_tests.txt | paste -sd:)
  export GTEST_FILTER="-$slow:${2:-}"
  tests_in_parts "$preset" "$(nproc)"
  echo "total: fast tests of $preset in $((SECONDS - begin)) s"
}

sanitized_build() {
  setup
  run cmake --preset "$1"
  run cmake --build --preset "$1" --target "${SANITIZED_TARGETS[@]}"
}

sanitizer_options() {
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  export TSAN_OPTIONS=second_deadlock_stack=1
}

# The fast tests under a sanitizer, without those that run other libraries.
sanitized_tests() {
  sanitized_build "$1"
  sanitizer_options
  PART_SECONDS=600 fast_tests "$1" "*Peer*"
}

# All tests under a sanitizer that is built. There a process for each of them, as
# ctest starts it, would take most of the time; only what is no test of a test
# program has one (names without a dot).
all_sanitized_tests() {
  local failed=0
  sanitizer_options
  PART_SECONDS=3600 tests_in_parts "$1" $((4 * $(nproc))) || failed=1
  unset GTEST_TOTAL_SHARDS
  run ctest --preset "$1" -j "$(nproc)" -E '[.]' || failed=1
  return "$failed"
}

# phase NAME MINUTES COMMAND...: runs the command, for at most so many minutes,
# and adds its time and result to the summary: CI_RESULT is passed, FAILED or
# ended. If it is not passed, returns 1, with what it said in CI_FAILURE.
CI_SUMMARY=()
phase() {
  local name=$1 minutes=$2 begin=$SECONDS log
  shift 2
  printf '\n== %s\n' "$name"
  log=$CI_STATE/logs/${name//[^a-zA-Z0-9]/_}.log
  timeout --kill-after=60 "${minutes}m" "$@" 2>&1 | tee "$log"
  case ${PIPESTATUS[0]} in
    0) CI_RESULT=passed ;;
    124 | 137) CI_RESULT=ended ;;
    *) CI_RESULT=FAILED ;;
  esac
  CI_SUMMARY+=("$(printf '%-44s %-7s %4d s' "$name" "$CI_RESULT" \
    $((SECONDS - begin)))")
  while IFS= read -r line; do
    CI_SUMMARY+=("    $line")
  done < <(grep -aE '^(total:|[a-z]+: [0-9]+ |[0-9]+% tests passed|Left out after)' \
    "$log" | cut -c1-200)
  [ "$CI_RESULT" != passed ] || return 0
  [ "$CI_RESULT" = FAILED ] || echo "not finished after $minutes minutes" >>"$log"
  CI_FAILURE=$(python3 tools/ci/failures.py --phase "$name" --command "$*" "$log")
  return 1
}

# decide NAME COMMAND...: unless something has failed before.
CI_FAILED=
decide() {
  if [ -n "$CI_FAILED" ]; then
    CI_SUMMARY+=("$(printf '%-44s skipped' "$1")")
    return
  fi
  phase "$1" "$DECIDE_MINUTES" "${@:2}" || CI_FAILED=$CI_FAILURE
}

may_explore() {
  if [ -z "$CI_FAILED" ] && [ "$SECONDS" -lt $((60 * EXPLORE_UNTIL_MINUTE)) ]
  then
    return 0
  fi
  CI_SUMMARY+=("$(printf '%-44s skipped' "$1")")
  return 1
}

# explore NAME MINUTES COMMAND...: as decide, but what fails does not decide, nor
# what does not finish: the programs end themselves, so that may be a hang.
CI_FOUND=
explore() {
  may_explore "$1" || return 0
  phase "$@" || CI_FOUND+=$CI_FAILURE$'\n'
}

# take_turn TURN NAME COMMAND...: as explore; the next run takes the other turn.
take_turn() {
  may_explore "$2" || return 0
  explore "$2" "$TURN_MINUTES" "${@:3}"
  echo "$1" >"$CI_STATE/turn"
}

# The build has a limit of its own, so that the tests have all of theirs. What it
# does not reach is no finding: the next run has the rest in the compiler's cache.
take_tsan_turn() {
  may_explore "build under tsan" || return 0
  phase "build under tsan" "$TURN_MINUTES" tools/dev ci build tsan || {
    [ "$CI_RESULT" = ended ] || CI_FOUND+=$CI_FAILURE$'\n'
    CI_SUMMARY+=("$(printf '%-44s skipped' "fast tests under tsan")")
    return 0
  }
  take_turn tsan "fast tests under tsan" tools/dev ci sanitized tsan
}

ci() {
  local turn program seed
  case ${1:-} in
    build) sanitized_build "$2"; return ;;
    sanitized) sanitized_tests "$2"; return ;;
  esac
  rm -rf "$CI_STATE/logs"
  mkdir -p "$CI_STATE/logs"
  turn=$(ci_turn)
  seed=$((16#$(git rev-parse --short=7 HEAD)))
  echo "commit $(git rev-parse --short HEAD); this run's turn: $turn" \
    "(of ${CI_TURNS[*]})"
  decide checks tools/dev check sources
  decide "release build" tools/dev build strict
  decide clang-tidy tools/dev tidy --minutes "$TIDY_MINUTES"
  decide "dev tests" tools/dev test dev
  for program in "${DECIDING_PROGRAMS[@]}"; do
    # shellcheck disable=SC2086  # A word and its flags.
    decide "$program" tools/dev $program
  done
  decide "fast tests under asan" tools/dev ci sanitized asan
  for program in "${EXPLORING_PROGRAMS[@]//SEED/$seed}"; do
    # shellcheck disable=SC2086
    explore "$program" "$EXPLORE_MINUTES" tools/dev $program
  done
  case $turn in
    slow) take_turn slow "tests with slow threads" tools/dev test slow 1 ;;
    tsan) take_tsan_turn ;;
  esac
  printf '\n== summary of %s\n' "$(git rev-parse --short HEAD)"
  printf '%s\n' "${CI_SUMMARY[@]}" "all: $SECONDS s"
  [ -z "$CI_FOUND" ] || printf '\n== found, not deciding: %s\n%s' \
    "enter it in the Open table of docs/soak.md" "$CI_FOUND"
  if [ -n "$CI_FAILED" ]; then
    printf '\n== failed\n%s\n' "$CI_FAILED"
    return 1
  fi
  git rev-parse HEAD >"$CI_STATE/passed"
}
