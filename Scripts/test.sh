#!/usr/bin/env bash
# Runs the tests, or with options those that `swift test` runs with these options. When tests fail,
# their issues are printed once more at the end, because the output is long.
#
# Two processes run one half of the suite each, one test after the other. Tests that run at the same
# time in one process share its few threads, so that many tests that block a thread delay the others
# until they exceed their limits of time.
set -uo pipefail
cd "$(dirname "$0")/.."
output=$(mktemp)
trap 'rm -f "$output" "$output".*' EXIT

# Where another build is kept.
scratch=()
[ -z "${WELLSPRING_SCRATCH_PATH:-}" ] || scratch=(--scratch-path "$WELLSPRING_SCRATCH_PATH")

# The half of the suite that the second process runs: it waits much, and needs little of a core.
half='^ReplicationTests\.'

run_all() {
  swift build "${scratch[@]}" --build-tests || return
  local tests first second run
  tests="$(swift build "${scratch[@]}" --show-bin-path)/WellspringPackageTests.xctest"
  # Background processes ignore Ctrl-C, and so would the processes that the tests start.
  run=(env --default-signal=INT,QUIT "$tests" --testing-library swift-testing --no-parallel)
  "${run[@]}" --skip "$half" >"$output.1" 2>&1 &
  first=$!
  "${run[@]}" --filter "$half" >"$output.2" 2>&1 &
  second=$!
  tail --follow --lines +1 --pid "$first" "$output.1" &
  tail --follow --lines +1 --pid "$second" "$output.2" &
  local status=0
  wait "$first" || status=$?
  wait "$second" || status=$?
  wait
  printf '\n'
  grep --no-filename 'Test run with' "$output.1" "$output.2"
  cat "$output.1" "$output.2" >"$output"
  return "$status"
}

if [ "$#" -eq 0 ]; then
  run_all
else
  swift test "${scratch[@]}" "$@" 2>&1 | tee "$output"
fi
status=$?
if [ "$status" -ne 0 ]; then
  printf '\n== What failed\n'
  # An issue can hold long output, and continues on lines that begin with an arrow.
  grep --extended-regexp --after-context=4 '^✘ .* recorded an issue|: error: |^==[0-9]+==ERROR|WARNING: ThreadSanitizer|Fatal error' \
    "$output" | grep --invert-match --extended-regexp '^(◇|✔|--)' | cut -c 1-1000 | tail -n 60
fi
exit "$status"
