#!/bin/sh
# Feeds what comes from outside to the library: dates, patterns, changesets, SQL, JSON, URIs, the pages
# of files, and the arguments and keys of the tool, with the toolchain's libFuzzer. SECONDS_EACH says for
# how long each target runs, TARGETS which, SEED with which random numbers, and MODE=debug compiles in a
# third of the time. As many run at once as there are cores; what one has printed is shown when it has
# ended. Inputs that are new are kept in .build/fuzz; what a crash needs becomes a test.
set -eu
cd "$(dirname "$0")/.."

# With two arguments: fuzzes a target with a program.
if [ $# -eq 2 ]; then
  target=$1
  program=$2
  corpus=$PWD/.build/fuzz/$target
  scratch=$corpus.scratch
  mkdir -p "$corpus" "$scratch" "Fuzzing/Corpora/$target"
  given=$PWD/Fuzzing/Corpora/$target
  # In a directory of its own, where the program can make files.
  cd "$scratch"
  # Eight pages before and after a commit.
  length=2000
  [ "$target" != pages ] || length=8193
  code=0
  SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$target "$program" \
    -max_total_time="${SECONDS_EACH:-30}" -seed="${SEED:-0}" -timeout=20 -max_len="$length" \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$target." "$corpus" "$given" \
    >"$corpus.log" 2>&1 || code=$?
  # One after the other, also when two end at the same time.
  {
    flock 9
    echo "fuzz.sh: $target"
    cat "$corpus.log"
    [ "$code" -eq 0 ] || echo "fuzz.sh: $target FAILED; the input is in $scratch"
  } 9>"$scratch/../lock" >&2
  exit "$code"
fi

mode=${MODE:-release}
# The library of the Debian package, too, so that a check compiles it: see Scripts/deb.sh.
build="-c $mode --sanitize fuzzer --scratch-path .build/fuzzing
  $(sh Scripts/build.sh options) -Xswiftc -gline-tables-only -Xswiftc -enable-testing
  -Xswiftc -DWELLSPRING_WITHOUT_ICU"
export WELLSPRING_FUZZING=1
# shellcheck disable=SC2086 # They are several arguments.
swift build $build --product Fuzz
# shellcheck disable=SC2086
program=$PWD/$(swift build $build --show-bin-path | sed "s|^$PWD/||")/Fuzz
printf '%s\n' ${TARGETS:-dates patterns changesets statements json uris arguments keys pages} |
  xargs -P "$(nproc)" -I '{}' sh Scripts/fuzz.sh '{}' "$program"
