#!/usr/bin/env bash
# Runs `swift test` with the given options. When tests fail, their issues are printed once more at
# the end, because the output is long.
set -uo pipefail
output=$(mktemp)
trap 'rm -f "$output"' EXIT

swift test "$@" 2>&1 | tee "$output"
status=$?
if [ "$status" -ne 0 ]; then
  printf '\n== What failed\n'
  # An issue can hold long output, and continues on lines that begin with an arrow.
  grep --extended-regexp --after-context=4 '^✘ .* recorded an issue|: error: |^==[0-9]+==ERROR|WARNING: ThreadSanitizer|Fatal error' \
    "$output" | grep --invert-match --extended-regexp '^(◇|✔|--)' | cut -c 1-1000 | tail -n 60
fi
exit "$status"
