#!/bin/sh
# Breaks the observation engine on purpose, by one fault of Tests/Faults/faults.patch after the other, and
# runs the simulation, and a few other tests, which must notice each. It works in a copy. FAULTS, SEEDS and STEPS say which
# and how much.
# `faults.sh build` only builds the engine with the faults.
set -eu
cd "$(dirname "$0")/.."

tree=.build/faults
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -r {} +
git ls-files Package.swift Sources Tests Benchmarks Docs Examples | tar -cf - -T - | tar -xf - -C "$tree"
git apply --directory="$tree" Tests/Faults/faults.patch
: "${FAULTS:=$(grep -o 'isOn("[a-z-]*")' Tests/Faults/faults.patch | sort -u | cut -d '"' -f 2)}"

cd "$tree"
if [ "${1:-}" = build ]; then
  exec swift build --quiet --target Storage
fi
swift build --quiet --build-tests
run="$(swift build --show-bin-path)/WellspringPackageTests.xctest"
missed=0
# Skipped values, foreign commits without a WAL, changes of keys, and rows behind the end of a window are too rare in the simulation.
tests='SimulationTests|PatchedChangesTests|PatchingWithoutLogTests|PatchedResultTests|RowKeyTests|RowOrderTests|PatchedRowsTests'
for fault in $FAULTS; do
  found=
  for seed in ${SEEDS:-1 2 3 4 5}; do
    # A fault can let a test wait for ever.
    if ! WELLSPRING_FAULT=$fault WELLSPRING_SEED=$seed WELLSPRING_STEPS=${STEPS:-40000} \
      timeout 900 "$run" --testing-library swift-testing --filter "$tests" >"$fault.log" 2>&1; then
      found=$(grep -o -e "seed $seed, step [0-9]*" -e '✘ Test "[^"]*"' "$fault.log" | head -n 1)
      : "${found:=it does not end}"
      break
    fi
  done
  if [ -n "$found" ]; then
    echo "$fault: noticed ($found)"
  else
    echo "$fault: NOT NOTICED"
    missed=1
  fi
done
exit $missed
