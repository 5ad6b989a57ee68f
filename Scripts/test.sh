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
# WELLSPRING_SCRATCH_PATH is where another build is kept for options.
set -uo pipefail
cd "$(dirname "$0")/.."
output=$(mktemp)
trap 'rm -f "$output" "$output".*' EXIT

scratch=()
[ -z "${WELLSPRING_SCRATCH_PATH:-}" ] || scratch=(--scratch-path "$WELLSPRING_SCRATCH_PATH")

# What each process runs: about the same time.
parts=(
  '^ReplicationTests\.Etcd'
  '^(ReplicationTests\.Log|LabTests\.)'
  '^(ReplicationTests\.(Local|Node|Snapshot))'
  '^(ReplicationTests\.(?!Etcd|Local|Log|Node|Snapshot)|WellspringSystemTests\.)'
  '^ObservationTests\.Patch'
  '^ObservationTests\.(Foreign|Page|Random|Simulat)'
  '^ObservationTests\.(?!Foreign)[A-O]'
  '^ObservationTests\.(?!Page|Patch|Random|Simulat)[P-Z]'
  '^((Storage|Connection|Query|Record|Recording|Sharing)Tests)\.'
  '^DemoCLITests\.(Watch|Wait)'
  '^DemoCLITests\.(?!Watch|Wait)'
)

[ -z "${WELLSPRING_FILTER:-}" ] || parts=("$WELLSPRING_FILTER")

run_all() {
  sh Scripts/build.sh tests || return
  local tests part status=0 running=()
  tests="$(sh Scripts/build.sh path)/WellspringPackageTests.xctest"
  for part in "${!parts[@]}"; do
    # `tail` may be faster than the process, and shows nothing of a file that is not there.
    : >"$output.$part"
    # Background processes ignore Ctrl-C, and so would the processes that the tests start.
    env --default-signal=INT,QUIT "$tests" --testing-library swift-testing --no-parallel \
      --filter "${parts[part]}" >"$output.$part" 2>&1 &
    running+=($!)
    tail --follow --lines +1 --pid $! "$output.$part" &
  done
  for part in "${running[@]}"; do wait "$part" || status=$?; done
  wait
  for part in "${!parts[@]}"; do
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
