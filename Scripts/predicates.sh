#!/usr/bin/env bash
# Type-checks the predicates of Tests/Predicates against a built Storage. One that takes the compiler more
# than 100 ms is an error: it would be felt in every editor.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --target Storage
modules="$(swift build --show-bin-path)/Modules"
output=$(swiftc -typecheck -swift-version 6 -I "$modules" -I Sources/CWellspringSQLite \
  -Xfrontend -warn-long-expression-type-checking=100 \
  Tests/Predicates/*.swift 2>&1) || { printf '%s\n' "$output"; exit 1; }
if grep -E "expression took|unable to type-check" <<<"$output"; then
  echo "a predicate takes too long to type-check" >&2
  exit 1
fi
echo "$(grep -c '\.filter {' Tests/Predicates/Predicates.swift) predicates, none over 100 ms"
