#!/usr/bin/env bash
# Runs the suite with coverage, and prints the share of lines that it runs by room, and the largest
# functions that it does not run. `--table` prints the rooms as the table of CONTRIBUTING.md.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/install.sh python3
build=.build/coverage
profiles=$build/profiles
rm -rf "$profiles"
mkdir -p "$profiles"
# Some tests start the tool as another user.
chmod 1777 "$profiles"
export WELLSPRING_BUILD=$build WELLSPRING_COVERAGE=1
sh Scripts/build.sh tests
folder=$(sh Scripts/build.sh path)
# Tests start the tool and themselves again: each process has a file of its own.
export LLVM_PROFILE_FILE=$PWD/$profiles/%p-%m.profraw
for part in '^ReplicationTests\.' '^(?!ReplicationTests)'; do
  "$folder/WellspringPackageTests.xctest" --testing-library swift-testing --no-parallel \
    --filter "$part" >"$build/output" 2>&1 || { tail -n 40 "$build/output"; exit 1; }
done
# The format of a profile is that of the compiler, and another LLVM may be installed. A process that a
# test kills may leave half a profile.
llvm=$(dirname "$(readlink --canonicalize "$(command -v swift)")")
"$llvm/llvm-profdata" merge --sparse --failure-mode=all "$profiles"/*.profraw --output "$build/profile"
# What a process writes that does not know the variable is of no use.
rm -rf "$profiles" default.profraw
"$llvm/llvm-cov" export "$folder/WellspringPackageTests.xctest" --object "$folder/wellspring" \
  --instr-profile "$build/profile" --skip-expansions "$PWD/Sources" >"$build/coverage.json"
python3 Scripts/coverage.py "$build/coverage.json" "$@"
