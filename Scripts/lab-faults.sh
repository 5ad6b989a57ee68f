#!/bin/sh
# Puts defects that were mended back, by one fault of Tests/Faults/lab.patch after the other, and runs the
# tests of the lab, which must notice each. It works in a copy. FAULTS says which.
set -eu
cd "$(dirname "$0")/.."

tree=.build/lab-faults
mkdir -p "$tree"
find "$tree" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -r {} +
git ls-files Package.swift Sources Tests Benchmarks Docs Examples | tar -cf - -T - | tar -xf - -C "$tree"
git apply --directory="$tree" Tests/Faults/lab.patch

# The tests that notice a fault. The first one is hit at a few calls only, so all calls are needed.
tests() {
  case $1 in
    unsynced-deletion) echo 'FaultLabTests.*power cut' ;;
    future-journal) echo 'ClockLabTests.*journal' ;;
    before-1970) echo 'ClockLabTests.*before 1970' ;;
    inotify-once) echo 'ResourceLimitsLabTests.*inotify' ;;
  esac
}

cd "$tree"
swift build --quiet --build-tests
missed=0
for fault in ${FAULTS:-unsynced-deletion future-journal before-1970 inotify-once}; do
  if WELLSPRING_SOAK=1 swift test --skip-build --filter "$(tests "$fault")" >"$fault.none.log" 2>&1; then
    if WELLSPRING_FAULT=$fault WELLSPRING_SOAK=1 \
      swift test --skip-build --filter "$(tests "$fault")" >"$fault.log" 2>&1; then
      echo "$fault: NOT NOTICED"
      missed=1
    else
      echo "$fault: noticed"
    fi
  else
    echo "$fault: the tests fail without it"
    missed=1
  fi
done
exit $missed
