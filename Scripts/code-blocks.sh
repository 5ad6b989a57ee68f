#!/bin/sh
# Compiles each Swift block of the articles and of the doc comments, and runs the programs that show
# their output: Scripts/code-blocks.sh [FILE …]
# With --self-test, checks that a broken block and a wrong output are found.
set -eu
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev pkg-config python3
sh Scripts/build.sh libraries
build=$(sh Scripts/build.sh path)

if [ "${1:-}" = --self-test ]; then
  tests=Scripts/code-blocks/self-test
  if found=$(python3 Scripts/code-blocks/check.py "$build" $tests/Broken.md $tests/Broken.swift 2>&1); then
    echo "Broken code blocks were not found." >&2
    exit 1
  fi
  for expected in "Broken.md:6:" "has no member 'fetchCuont'" "Broken.swift:3:" "Broken.swift:8:" \
    "Broken.swift:13: error: this compiles" "and printed"; do
    case $found in
    *"$expected"*) ;;
    *) echo "The check did not report \"$expected\":" "$found" >&2; exit 1 ;;
    esac
  done
  case $found in
  *"Broken.swift:14:"* | *"Broken.swift:19:"*) echo "The check reported too much:" "$found" >&2; exit 1 ;;
  esac
  echo "Broken code blocks are found."
  exit 0
fi

python3 Scripts/code-blocks/check.py "$build" "$@"
