#!/usr/bin/env bash
# Checks comments and texts: no line of a comment over 100 columns, and none of the words that a reader
# has to translate (see CONTRIBUTING.md).
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
words='\b(nobody|somebody|whoever|whomever|those who|sees? to it|anew)\b'
if git grep --untracked -nIiE "$words" -- Sources Tests Docs Benchmarks Examples '*.md'; then
  echo "prose.sh: write a noun instead of these words." >&2
  status=1
fi
wide=$(git grep --untracked -nIE '^ *//' -- '*.swift' |
  awk '{ line = $0; sub(/^[^:]*:[^:]*:/, "", line); if (length(line) > 100) print }')
if [ -n "$wide" ]; then
  echo "$wide"
  echo "prose.sh: these comments are wider than 100 columns." >&2
  status=1
fi
exit $status
