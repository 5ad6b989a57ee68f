#!/bin/sh
# Feeds what comes from outside to the library: dates, patterns, changesets, SQL, JSON, URIs, and the
# arguments and keys of the tool, with the toolchain's libFuzzer. SECONDS_EACH says for how long each
# target runs, TARGETS which, SEED with which random numbers.
# Inputs that are new are kept in .build/fuzz; what a crash needs becomes a test.
set -eu
cd "$(dirname "$0")/.."

swift build --package-path Fuzzing -c release --sanitize fuzzer --scratch-path .build/fuzzing \
  --product Fuzz
program=$PWD/$(swift build --package-path Fuzzing -c release --sanitize fuzzer \
  --scratch-path .build/fuzzing --show-bin-path | sed "s|^$PWD/||")/Fuzz
failed=0
for target in ${TARGETS:-dates patterns changesets statements json uris arguments keys}; do
  corpus=.build/fuzz/$target
  scratch=.build/fuzz/$target.scratch
  mkdir -p "$corpus" "$scratch" "Fuzzing/Corpora/$target"
  echo "fuzz.sh: $target"
  # In a directory of its own, where the program can make files.
  if ! (cd "$scratch" && SWIFT_BACKTRACE=enable=no FUZZ_TARGET=$target "$program" -max_total_time="${SECONDS_EACH:-30}" -seed="${SEED:-0}" -timeout=20 \
    -max_len=2000 -print_final_stats=1 -verbosity=0 -artifact_prefix="$target." \
    "$OLDPWD/$corpus" "$OLDPWD/Fuzzing/Corpora/$target"); then
    echo "fuzz.sh: $target FAILED; the input is in $scratch" >&2
    failed=1
  fi
done
exit $failed
