#!/usr/bin/env bash
# Makes a copy of Examples/FromGRDB/Original, a package for GRDB 7, that uses this package instead.
#
#   Scripts/coming-from-grdb/port.sh DIRECTORY
#
# The copy differs by the edits of Examples/FromGRDB/edits.sed only. Each line that they change must be one
# that Scripts/coming-from-grdb.sh names in the original, and it must name none in the copy.
set -euo pipefail
cd "$(dirname "$0")/../.."

original=Examples/FromGRDB/Original
mkdir -p "$1"
copy=$(cd "$1" && pwd)
named=$(mktemp)
changed=$(mktemp)
trap 'rm -f "$named" "$changed"' EXIT

Scripts/coming-from-grdb.sh "$original" | cut -d : -f 1-2 | sort -u >"$named" || true
for part in Sources Tests Package.swift; do
  rm -rf "${copy:?}/$part"
done
while IFS= read -r file; do
  name=${file#"$original"/}
  mkdir -p "$copy/$(dirname "$name")"
  sed -E -f Examples/FromGRDB/edits.sed "$file" | sed "s|WELLSPRING|$PWD|" >"$copy/$name"
  diff "$file" "$copy/$name" | awk -v file="$file" '
    /^[0-9]/ {
      split($0, sides, /[acd]/)
      count = split(sides[1], lines, ",")
      for (line = lines[1]; line <= lines[count]; line++) print file ":" line
    }' >>"$changed" || true
done < <(find "$original" -name '*.swift' -not -path '*/.build/*')

unnamed=$(sort -u "$changed" | comm -23 - "$named")
if [ -n "$unnamed" ]; then
  echo "port.sh: edits.sed changes lines that coming-from-grdb.sh does not name:" >&2
  echo "$unnamed" >&2
  exit 1
fi
if ! Scripts/coming-from-grdb.sh "$copy"; then
  echo "port.sh: coming-from-grdb.sh names lines of the copy" >&2
  exit 1
fi
