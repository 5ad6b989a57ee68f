#!/bin/sh
# Compares the ids in the tests, such as P1 or VAL-13, with Docs/Checklist.md. An id that the page does not
# explain is an error. An id of the page that no test uses is listed for information.
set -eu
cd "$(dirname "$0")/.."

page=Docs/Checklist.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The ids of the page, one a line.
sed -n 's/^- \*\*\([A-Z]*-*[0-9]*\)\*\*: ..*/\1/p' "$page" | sort >"$work/listed"
repeated=$(uniq -d "$work/listed")
if [ -n "$repeated" ]; then
  echo "$page explains an id more than once:" $repeated >&2
  exit 1
fi

# Every use of an id in the tests, as "id file:line". A range such as EXP-07…10 uses all ids in it.
git grep -nE '\b(P[0-9]{1,2}|[A-Z]{1,4}-[0-9]{2,3})\b' -- 'Tests/*.swift' | awk -F: '
  {
    place = $1 ":" $2
    line = substr($0, length(place) + 2)
    while (match(line, /(^|[^A-Za-z0-9_-])(P[0-9][0-9]?|[A-Z][A-Z]?[A-Z]?[A-Z]?-[0-9][0-9][0-9]?)(…[0-9][0-9]+)?/)) {
      found = substr(line, RSTART, RLENGTH)
      rest = substr(line, RSTART + RLENGTH)
      line = rest
      sub(/^[^A-Z]+/, "", found)
      # Part of a longer word, or the name of an encoding.
      if (rest ~ /^[A-Za-z0-9_]/ || found ~ /^UTF-/) continue
      split(found, part, "…")
      id = part[1]
      if (part[2] == "") { print id, place; continue }
      dash = index(id, "-")
      prefix = substr(id, 1, dash)
      first = substr(id, dash + 1)
      for (number = first + 0; number <= part[2] + 0; number++)
        printf "%s%0*d %s\n", prefix, length(first), number, place
    }
  }' | sort >"$work/uses"
cut -d ' ' -f 1 "$work/uses" | uniq >"$work/used"

unused=$(comm -23 "$work/listed" "$work/used" | tr '\n' ' ')
[ -z "$unused" ] || echo "ids of $page without a test: $unused"

unknown=$(comm -13 "$work/listed" "$work/used")
if [ -n "$unknown" ]; then
  echo "ids that $page does not explain:" >&2
  for id in $unknown; do grep "^$id " "$work/uses" >&2; done
  exit 1
fi
echo "$(wc -l <"$work/used") ids in tests, all explained by $page"
