#!/usr/bin/env bash
# Tests Scripts/coming-from.sh: each rule finds its example, and no rule finds what is right.
set -euo pipefail
cd "$(dirname "$0")/../.."

top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
fail() { printf 'test.sh: %s\n' "$*" >&2 && exit 1; }

# check LIBRARY RULES CLEAN: CLEAN is a file that needs no change.
check() {
  local directory=$top/$1 count=0 status=0 expected=() pattern advice example found named
  # Every example is a line of one file, below a line of a comment that is not named.
  mkdir -p "$directory/old" "$directory/new" "$directory/old/.build"
  while IFS=$'\t' read -r pattern advice example; do
    case $pattern in '' | '#'*) continue ;; esac
    [ -n "$example" ] || fail "the rule $pattern has no example"
    printf '// %s\n%s\n' "$example" "$example" >>"$directory/old/Old.swift"
    count=$((count + 2))
    expected+=("$directory/old/Old.swift:$count: $advice")
  done <"$2"
  cp "$directory/old/Old.swift" "$directory/old/.build/Built.swift"

  found=$(Scripts/coming-from.sh "$1" "$directory/old") || status=$?
  [ "$status" = 1 ] || fail "$1: status $status where lines are named"
  for line in "${expected[@]}"; do
    grep -qxF -- "$line" <<<"$found" || fail "$1: not found: $line"
  done
  named=$(cut -d : -f 1-2 <<<"$found" | sort -u | grep -c .)
  [ "$named" = "$((count / 2))" ] || fail "$1: $named lines are named instead of $((count / 2))"

  cp "$3" "$directory/new/Clean.swift"
  Scripts/coming-from.sh "$1" "$directory/new" || fail "$1: lines of $3 are named"
  echo "$((count / 2)) rules for $1 find their examples"
}

check grdb Scripts/coming-from-grdb/rules.tsv Scripts/coming-from-grdb/clean.swift
check sqlite-swift Scripts/coming-from/sqlite-swift.tsv Scripts/coming-from/clean.swift
check sharing-grdb Scripts/coming-from/sharing-grdb.tsv Scripts/coming-from/clean.swift
check sqlite-data Scripts/coming-from/sharing-grdb.tsv Scripts/coming-from/clean.swift

# A plain shell runs the scripts, too.
status=0
sh Scripts/coming-from.sh sqlite-data "$top/sqlite-data/old" >"$top/plain" || status=$?
[ "$status" = 1 ] || fail "status $status by sh where lines are named"
[ "$(cut -d : -f 2- "$top/plain")" = "$(Scripts/coming-from.sh sharing-grdb "$top/sharing-grdb/old" | cut -d : -f 2-)" ] ||
  fail "sh finds other lines than bash"
sh Scripts/coming-from-grdb.sh "$top/grdb/new" || fail "sh names lines that need no change"

# What is hard when coming from SQLiteData: the advice is the code to write.
mkdir -p "$top/hard"
for line in '.group(by: \.listID)|group(\.listID)' \
  '.leftJoin(List.all) { $0.listID.eq($1.id) }|leftJoin(List.self)' \
  '.having { $1.count().gt(1) }|having { count($0.id) > 1 }' \
  '$1.count(filter: $1.isDone)|count($0.id, filter: $0.isDone)' \
  '@Table struct Item {|struct Item: Codable' \
  '@FetchAll(Item.where(\.isDone)) var items|@SharedReader(.fetchAll(Item.all()))'; do
  printf '%s\n' "${line%%|*}" >"$top/hard/Hard.swift"
  found=$(sh Scripts/coming-from.sh sqlite-data "$top/hard") && fail "not found: ${line%%|*}"
  grep -qF -- "${line#*|}" <<<"$found" || fail "the advice for ${line%%|*} lacks ${line#*|}: $found"
done

# Wrong uses.
for arguments in "grdb $top/none" "core-data $top" "grdb"; do
  status=0
  # shellcheck disable=SC2086 — several arguments.
  Scripts/coming-from.sh $arguments 2>/dev/null || status=$?
  [ "$status" = 2 ] || fail "status $status for: $arguments"
done
status=0
Scripts/coming-from-grdb.sh "$top/none" 2>/dev/null || status=$?
[ "$status" = 2 ] || fail "status $status for a directory that is missing"
