# What `tools/dev ci` and .ci/run do; tools/dev sources this.
#
# These decide: every check, clang-tidy of the changed sources, the tests of dev,
# and fixed seeds of the programs for histories, crashes, faults and damaged
# bytes. These are only reported in the summary, each with a time limit: the other
# test programs, seeds made of the commit, and one of slow threads, asan and tsan
# by turns.

# The short forms of the test programs: a word of tools/dev and its flags, with
# fixed seeds. These decide. On two cores they took 19 seconds (124,000
# operations under 64 option sets), 61 (54,000 crash states), 9 (300 kills), 26
# (10,800 faults) and 6 (1,300,000 damaged inputs).
TEST_PROGRAMS=(
  "metamorphic --seed 1 --seeds 8"
  "crash --seed 1 --seeds 90"
  "crash --seed 1 --kills 300"
  "faults --seed 1 --seeds 110"
  "hostile --short"
)
# Minutes, a word and its flags. These are only reported, until they have passed
# at this size on every machine.
REPORTED_PROGRAMS=(
  "2 stress --seed 1 --seeds 6 --seconds 40"
  "3 differential --seed 1 --seeds 4 --operations 500"
)
TURN_MINUTES=15
# Decides on the sources that it reaches in this time; the summary lists the rest.
TIDY_MINUTES=5
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

# phase NAME COMMAND...: runs the command and adds its time and result to the
# summary. A failure fails the whole run, after the other phases.
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
  done < <(grep -aE '^(total:|[a-z]+: [0-9]+ |[0-9]+% tests passed|Left out after)' \
    "$CI_STATE/log")
}

# The fast tests under a sanitizer, without those that run other libraries.
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

# report NAME MINUTES COMMAND...: as phase, but a failure shows only in the
# summary, and the command is ended after so many minutes. For programs that
# have not yet passed on every machine.
report() {
  local name=$1 minutes=$2 failed=$CI_FAILED
  shift 2
  phase "$name" timeout --kill-after=60 "${minutes}m" "$@"
  CI_FAILED=$failed
}

# A seed made of the commit's name, so every commit tries a new one.
commit_seed() {
  echo $((16#$(git rev-parse --short=7 HEAD)))
}

ci() {
  local turn program
  case ${1:-} in
    turn) shift; ci_turn_tests "${1:-$(ci_turn)}"; return ;;
  esac
  mkdir -p "$CI_STATE"
  turn=$(ci_turn)
  echo "commit $(git rev-parse --short HEAD); this landing's turn: $turn" \
    "(of ${CI_TURNS[*]})"
  phase checks check_sources
  phase clang-tidy tools/dev tidy --minutes "$TIDY_MINUTES"
  phase "dev tests" run_tests dev
  for program in "${TEST_PROGRAMS[@]}"; do
    # shellcheck disable=SC2086  # A word and its flags.
    phase "${program%% *}, ${program##*--}" tools/dev $program
  done
  for program in "${REPORTED_PROGRAMS[@]}"; do
    # shellcheck disable=SC2086
    set -- $program
    report "$2 ${*: -2}" "$1" tools/dev "${@:2}"
  done
  report "crash, new seed" 2 tools/dev crash --seed "$(commit_seed)" \
    --seeds 20 --seconds 45
  report "faults, new seed" 2 tools/dev faults --seed "$(commit_seed)" \
    --seeds 20 --seconds 45
  report "turn: $turn" "$TURN_MINUTES" tools/dev ci turn "$turn"
  printf '\n== summary of %s\n' "$(git rev-parse --short HEAD)"
  printf '%s\n' "${CI_SUMMARY[@]}" "all: $SECONDS s"
  [ "$CI_FAILED" -eq 0 ] || return 1
  echo "$turn" >"$CI_STATE/turn"
  git rev-parse HEAD >"$CI_STATE/passed"
}
