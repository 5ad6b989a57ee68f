#!/usr/bin/env bash
# Runs the tests, or with options those that `swift test` runs with these options. When tests fail,
# their issues are printed once more at the end, because the output is long.
#
# Several processes run a part of the suite each, one test after the other: most tests wait for a file,
# a process or a server much of the time. Tests that run at the same time in one process share its few
# threads, so that many tests that block a thread delay the others until they exceed their limits of
# time.
#
# WELLSPRING_SANITIZER and WELLSPRING_FILTER are for one process that runs some tests with a sanitizer.
# WELLSPRING_TESTS names the targets that are compiled and run, such as QueryTests,LabTests.
# WELLSPRING_SCRATCH_PATH is where another build is kept for options. With WELLSPRING_FAIL_FAST, the
# first process in which a test has failed ends the others.
set -uo pipefail
cd "$(dirname "$0")/.."
output=$(mktemp)

scratch=()
[ -z "${WELLSPRING_SCRATCH_PATH:-}" ] || scratch=(--scratch-path "$WELLSPRING_SCRATCH_PATH")

# What each process runs: about the same time. Most faults show in the first two parts. What waits most
# of the time runs beside them, and what computes after them.
parts=(
  '^(Connection|Schema|Storage|WellspringSystem)Tests\.'
  '^(Query|Record|Recording|Sharing)Tests\.'
  '^ReplicationTests\.Etcd'
  '^(ReplicationTests\.Log|LabTests\.)'
  '^(ReplicationTests\.(Local|Node|Snapshot))'
  '^DemoCLITests\.(Watch|Wait)'
)
later=(
  '^PatchingTests\.Patched'
  '^ReplicationTests\.(?!Etcd|Local|Log|Node|Snapshot)'
  '^ObservationTests\.(Foreign|Page|Random|Simulat)'
  '^ObservationTests\.(?!Foreign)[A-O]'
  '^(ObservationTests\.(?!Page|Random|Simulat)[P-Z]|PatchingTests\.(?!Patched))'
  '^DemoCLITests\.(?!Watch|Wait)'
)
[ -z "${WELLSPRING_FILTER:-}" ] || parts=("$WELLSPRING_FILTER") later=()

# The parts that run. Each is a process group, so that servers which its tests have started end with it.
running=()
end_parts() {
  local part
  for part in "${running[@]}"; do kill -- "-$part" 2>/dev/null || true; done
}
trap 'end_parts; rm -f "$output" "$output".*' EXIT
trap 'exit 130' INT TERM

run_part() {
  local options=(--testing-library swift-testing --no-parallel --filter "${parts[$1]}")
  # `tail` may be faster than the process, and shows nothing of a file that is not there.
  : >"$output.$1"
  set -m
  # Where this script ignores Ctrl-C, the processes that the tests start must not.
  env --default-signal=INT,QUIT "$2" "${options[@]}" </dev/null >"$output.$1" 2>&1 &
  set +m
  running[$1]=$!
  tail --follow --lines +1 --pid $! "$output.$1" &
}

run_all() {
  sh Scripts/build.sh tests || return
  local tests part process filter firsts=2 status=0
  tests="$(sh Scripts/build.sh path)/WellspringPackageTests.xctest"
  for part in "${!parts[@]}"; do run_part "$part" "$tests"; done
  while [ "${#running[@]}" -gt 0 ]; do
    # Of several that have ended, it tells one.
    wait -n "${running[@]}" 2>/dev/null || true
    for part in "${!running[@]}"; do
      process=${running[part]}
      ! kill -0 "$process" 2>/dev/null || continue
      wait "$process" || status=$?
      unset "running[part]"
      [ "$part" -gt 1 ] || firsts=$((firsts - 1))
      # A process that has crashed has left what its tests have started.
      kill -- "-$process" 2>/dev/null || true
    done
    if [ "$status" -ne 0 ] && [ -n "${WELLSPRING_FAIL_FAST:-}" ]; then
      echo "test.sh: a test has failed, so the others were ended" >&2
      end_parts
      break
    fi
    [ "$firsts" -eq 0 ] || continue
    for filter in "${later[@]}"; do
      parts+=("$filter")
      run_part "$((${#parts[@]} - 1))" "$tests"
    done
    later=()
  done
  wait
  for part in "${!parts[@]}"; do
    # A part that was ended may have run none.
    [ -z "${running[part]:-}" ] || continue
    grep --quiet 'Test run with [1-9]' "$output.$part" && continue
    echo "test.sh: no test ran for ${parts[part]}" >&2
    status=1
  done
  printf '\n'
  grep --no-filename 'Test run with' "$output".*
  cat "$output".* >"$output"
  return "$status"
}

if [ "$#" -eq 0 ]; then
  run_all
else
  swift test --enable-swift-testing --disable-xctest "${scratch[@]}" "$@" 2>&1 | tee "$output"
fi
status=$?
if [ "$status" -ne 0 ]; then
  printf '\n== What failed\n'
  # An issue can hold long output, and continues on lines that begin with an arrow.
  grep --extended-regexp --after-context=4 '^✘ .* recorded an issue|: error: |^==[0-9]+==ERROR|WARNING: ThreadSanitizer|Fatal error' \
    "$output" | grep --invert-match --extended-regexp '^(◇|✔|--)' | cut -c 1-1000 | tail -n 60
fi
exit "$status"
