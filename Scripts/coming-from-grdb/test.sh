#!/usr/bin/env bash
# Tests Scripts/coming-from-grdb.sh: each rule finds its example, and no rule finds what is right.
set -euo pipefail
cd "$(dirname "$0")/../.."

script=$PWD/Scripts/coming-from-grdb.sh
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
fail() { printf 'test.sh: %s\n' "$*" >&2 && exit 1; }

# Every example is a line of one file, below a line of a comment that is not named.
mkdir -p "$directory/old" "$directory/new" "$directory/old/.build"
count=0
expected=()
while IFS=$'\t' read -r pattern advice example; do
  case $pattern in '' | '#'*) continue ;; esac
  [ -n "$example" ] || fail "the rule $pattern has no example"
  printf '// %s\n%s\n' "$example" "$example" >>"$directory/old/Old.swift"
  count=$((count + 2))
  expected+=("$directory/old/Old.swift:$count: $advice")
done <Scripts/coming-from-grdb/rules.tsv
cp "$directory/old/Old.swift" "$directory/old/.build/Built.swift"

status=0
found=$("$script" "$directory/old") || status=$?
[ "$status" = 1 ] || fail "status $status where lines are named"
for line in "${expected[@]}"; do
  grep -qxF -- "$line" <<<"$found" || fail "not found: $line"
done
named=$(cut -d : -f 1-2 <<<"$found" | sort -u | grep -c .)
[ "$named" = "$((count / 2))" ] || fail "$named lines are named instead of $((count / 2))"

cp Scripts/coming-from-grdb/clean.swift "$directory/new/Clean.swift"
"$script" "$directory/new" || fail "lines of clean.swift are named"
status=0
"$script" "$directory/none" 2>/dev/null || status=$?
[ "$status" = 2 ] || fail "status $status for a directory that is missing"
echo "$((count / 2)) rules of coming-from-grdb.sh find their examples"
