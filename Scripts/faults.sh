#!/bin/sh
# Switches the faults of Sources/WellspringSystem/Fault.swift on, one after the other, and runs the
# tests that must notice each.
#
#   Scripts/faults.sh         the faults that the simulation, and tests of patched results, must notice
#   Scripts/faults.sh --lab   those that the lab must notice
#
# FAULTS says which, SEEDS and STEPS how the simulation runs. The package is compiled with
# WELLSPRING_FAULTS, in a folder of its own: BUILD says in which.
set -eu
cd "$(dirname "$0")/.."

lab="unsynced-deletion future-journal before-1970 inotify-once"
all=$(sed -n 's/^  case \([a-zA-Z0-9]*\)$/\1/p; s/^  case [a-zA-Z0-9]* = "\(.*\)"$/\1/p' \
  Sources/WellspringSystem/Fault.swift)

# The tests that notice a fault, besides the simulation. Skipped values, foreign commits without a WAL,
# changes of keys, and rows behind the end of a window are too rare in that one.
tests() {
  case $1 in
    # Few calls are hit, so all calls are needed.
    unsynced-deletion) echo 'FaultLabTests.*power cut' ;;
    future-journal) echo 'ClockLabTests.*journal' ;;
    before-1970) echo 'ClockLabTests.*before 1970' ;;
    inotify-once) echo 'ResourceLimitsLabTests.*inotify' ;;
    *) echo 'PatchedChangesTests|PatchingWithoutLogTests|PatchedResultTests|PatchedJoinTests|PatchedSubqueryTests|PatchedGroupTests|PatchedViewTests|PatchedAssociationTests|PatchedCompoundTests|ObservedShapesTests|UnannouncedCommitsTests|RowKeyTests|RowOrderTests|PatchedRowsTests|ObservationConditionTests|RandomConditionTests|RangeIndexTests|ForeignRowsTests|ForeignCommitPrecisionTests|ChangedPagesTests' ;;
  esac
}

if [ "${1:-}" = --lab ]; then
  faults=${FAULTS:-$lab}
  targets=LabTests
  export WELLSPRING_SOAK=1
else
  faults=${FAULTS:-$(printf '%s\n' $all | grep -vxF "$(printf '%s\n' $lab)")}
  seeds=${SEEDS:-1 2 3 4 5}
  targets=ObservationTests,PatchingTests
  export WELLSPRING_STEPS="${STEPS:-40000}"
  # Some faults show in few of the random cases only.
  export WELLSPRING_SCALE=2
fi
for fault in $faults; do
  printf '%s\n' $all | grep -qxF "$fault" || {
    echo "faults.sh: there is no fault \"$fault\"; the faults are:" $all >&2
    exit 2
  }
done

build=${BUILD:-.build/faults}
logs=.build/faults-logs
mkdir -p "$logs"
export WELLSPRING_FAULTS=1
export WELLSPRING_BUILD="$build"
WELLSPRING_TESTS=$targets sh Scripts/build.sh tests
run="$(sh Scripts/build.sh path)/WellspringPackageTests.xctest"

# Whether tests pass with a fault, or without one: passes FAULT TESTS LOG. Tests that do not exist pass
# too, and a fault can let a test wait for ever. The first failure ends the tests.
passes() {
  code=0
  : >"$3"
  WELLSPRING_FAULT=$1 timeout 900 "$run" --testing-library swift-testing --no-parallel --filter "$2" \
    >"$3" 2>&1 &
  tests=$!
  while kill -0 "$tests" 2>/dev/null; do
    if grep -q 'recorded an issue' "$3"; then kill "$tests" 2>/dev/null || :; fi
    sleep 1
  done
  wait "$tests" || code=$?
  if [ "$code" = 0 ] && ! grep -q 'Test run with [1-9]' "$3"; then
    echo "faults.sh: no test ran: see $3" >&2
    exit 1
  fi
  return "$code"
}

# Runs tests with the fault until they fail, unless it is found: find_fault SCALE SEEDS TESTS.
find_fault() {
  for seed in $2; do
    [ -z "$found" ] || return 0
    if ! WELLSPRING_SCALE=$1 WELLSPRING_SEED=$seed passes "$fault" "$3" "$log"; then
      found=$(grep -o -e 'seed [0-9]*, step [0-9]*' -e '✘ Test "[^"]*"' "$log" | head -n 1)
      : "${found:=it does not end}"
    fi
  done
}

missed=0
for fault in $faults; do
  log=$logs/$fault.log
  if [ "${1:-}" = --lab ] && ! passes "" "$(tests "$fault")" "$logs/$fault.none.log"; then
    echo "$fault: the tests fail without it"
    missed=1
    continue
  fi
  found=
  # Most faults show in these tests within a minute, and some only in more random steps than the suite
  # takes.
  find_fault 1 1 "$(tests "$fault")"
  if [ "${1:-}" != --lab ]; then
    find_fault 1 "$seeds" SimulationTests
    find_fault 4 "$seeds" "$(tests "$fault")"
  fi
  if [ -n "$found" ]; then
    echo "$fault: noticed ($found)"
  else
    echo "$fault: NOT NOTICED"
    missed=1
  fi
done
exit $missed
