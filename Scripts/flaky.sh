#!/usr/bin/env bash
# Repeats tests until one fails: Scripts/flaky.sh FILTER [TIMES]
# Each run has a seed of its own for tests that take WELLSPRING_SEED; a failure prints it, and the
# command that runs it again. Without TIMES, only a failure or Ctrl-C ends it.
set -uo pipefail
cd "$(dirname "$0")/.."

filter=${1:?flaky.sh: name the tests by a regular expression}
times=${2:-0}
first=${SEED:-$(date +%s)}
sh Scripts/build.sh tests || exit
tests="$(sh Scripts/build.sh path)/WellspringPackageTests.xctest"
log=$(mktemp)
trap 'rm -f "$log"' EXIT

for ((run = 0; times == 0 || run < times; run++)); do
  seed=$((first + run))
  status=0
  WELLSPRING_SEED=$seed "$tests" --testing-library swift-testing --no-parallel --filter "$filter" \
    >"$log" 2>&1 || status=$?
  if ! grep -q 'Test run with [1-9]' "$log"; then
    tail -n 20 "$log"
    echo "flaky.sh: no test ran" >&2
    exit 2
  fi
  if [ "$status" -ne 0 ]; then
    grep --extended-regexp --after-context=4 '^✘ |: error: |Fatal error' "$log" | cut -c 1-1000 | head -n 60
    echo "It failed in run $((run + 1)), with seed $seed. Again: SEED=$seed Scripts/flaky.sh '$filter' 1"
    exit 1
  fi
  printf '\r%s runs passed' "$((run + 1))"
done
printf '\n'
