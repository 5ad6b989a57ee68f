#!/bin/sh
# Puts defects that were mended back, by one fault of Tests/Faults/lab.patch after the other, and runs the
# tests of the lab, which must notice each. It works in a copy. FAULTS says which.
# `lab-faults.sh build` only builds the copy.
set -eu
cd "$(dirname "$0")/.."

# Only what has changed is copied, so that a second run compiles little.
tree=.build/lab-faults
new=.build/lab-faults.new
rm -rf "$new"
mkdir -p "$tree" "$new"
git ls-files Package.swift Sources Tests Benchmarks Docs Examples | tar -cf - -T - | tar -xf - -C "$new"
git apply --directory="$new" Tests/Faults/lab.patch
(cd "$tree" && find . -path ./.build -prune -o -type f -print) | while read -r file; do
  [ -e "$new/$file" ] || rm "$tree/$file"
done
(cd "$new" && find . -type f) | while read -r file; do
  if ! cmp -s "$new/$file" "$tree/$file"; then
    mkdir -p "$tree/${file%/*}"
    cp "$new/$file" "$tree/$file"
  fi
done
rm -rf "$new"

# The tests that notice a fault. The first one is hit at a few calls only, so all calls are needed.
tests() {
  case $1 in
    unsynced-deletion) echo 'FaultLabTests.*power cut' ;;
    future-journal) echo 'ClockLabTests.*journal' ;;
    before-1970) echo 'ClockLabTests.*before 1970' ;;
    inotify-once) echo 'ResourceLimitsLabTests.*inotify' ;;
  esac
}

# Whether the tests pass. Tests that do not exist pass too.
passes() {
  code=0
  WELLSPRING_SOAK=1 swift test --skip-build --filter "$1" >"$2" 2>&1 || code=$?
  if [ "$code" = 0 ] && ! grep -q 'Test run with [1-9]' "$2"; then
    echo "lab-faults.sh: no test ran: see $tree/$2" >&2
    exit 1
  fi
  return "$code"
}

cd "$tree"
swift build --quiet --build-tests
[ "${1:-}" != build ] || exit 0
missed=0
for fault in ${FAULTS:-unsynced-deletion future-journal before-1970 inotify-once}; do
  if ! passes "$(tests "$fault")" "$fault.none.log"; then
    echo "$fault: the tests fail without it"
    missed=1
  elif WELLSPRING_FAULT=$fault passes "$(tests "$fault")" "$fault.log"; then
    echo "$fault: NOT NOTICED"
    missed=1
  else
    echo "$fault: noticed"
  fi
done
exit $missed
