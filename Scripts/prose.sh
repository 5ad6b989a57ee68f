#!/usr/bin/env bash
# Checks comments and texts: no line of a comment over 100 columns, and none of the words and
# patterns that a reader has to translate (see CONTRIBUTING.md).
set -euo pipefail
cd "$(dirname "$0")/.."

status=0
words='\b(nobody|somebody|whoever|whomever|those who|sees? to it|anew)\b'
if git grep --untracked -nIiE "$words" -- Sources Tests Docs Benchmarks Examples '*.md'; then
  echo "prose.sh: write a noun instead of these words." >&2
  status=1
fi
# A negated noun, and a relative clause torn from its noun. "There is no …" says that something is missing.
grammar='^ *//.*((?<!there )\b(is|are) no (?!longer\b|more\b|one\b|other\b|further\b|such\b)[a-z]|, (of|by|for) which\b)'
if git grep --untracked -nIiP "$grammar" -- Sources | grep -vE '// *(is|are) no '; then
  echo "prose.sh: write \"is not a …\" for a negated noun, and a sentence of its own for \", of which\"." >&2
  status=1
fi
# A clause with "what" where there is a noun: "what a commit has changed" are its changes.
if git grep --untracked -nIP '^ *//.*\b[Ww]hat (it|they|that|this|each|(the|a) [a-z]+) (has|have|had)\b' -- Sources; then
  echo "prose.sh: write the noun for \"what … has …\"." >&2
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
