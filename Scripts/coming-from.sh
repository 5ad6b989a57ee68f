#!/usr/bin/env bash
# Finds the lines of a package for another library that need a change, and prints what to write.
#
#   Scripts/coming-from.sh grdb|sqlite-swift|sharing-grdb|sqlite-data DIRECTORY
#
# It reads the Swift files below the directory, and prints `file:line: what to write`. It exits with 0 when it
# finds nothing, with 1 when it finds something, and with 2 when it cannot run. It needs bash, grep and awk.
# The rules are in coming-from/LIBRARY.tsv, and in coming-from-grdb/rules.tsv.
set -uo pipefail

folder="$(dirname "$0")"
case ${1:-} in
grdb) rules=("$folder/coming-from-grdb/rules.tsv") ;;
sqlite-swift | sqlite.swift) rules=("$folder/coming-from/sqlite-swift.tsv") ;;
sharing-grdb | sqlite-data) rules=("$folder/coming-from/sharing-grdb.tsv") ;;
*) rules=() ;;
esac
if [ $# -ne 2 ] || [ ! -d "$2" ] || [ ${#rules[@]} -eq 0 ]; then
  echo "usage: coming-from.sh grdb|sqlite-swift|sharing-grdb|sqlite-data DIRECTORY" >&2
  exit 2
fi

# One line a finding. Lines of comments are no code.
found=$(
  cat "${rules[@]}" | while IFS=$'\t' read -r pattern advice _; do
    case $pattern in '' | '#'*) continue ;; esac
    grep -rnE --include='*.swift' --exclude-dir=.build -e "$pattern" "$2" |
      grep -vE '^[^:]*:[0-9]+:[[:space:]]*//' |
      ADVICE=$advice awk -F : '{ print $1 ":" $2 ": " ENVIRON["ADVICE"] }'
  done | sort -u | LC_ALL=C sort -t : -k 1,1 -k 2,2n
)
[ -n "$found" ] || exit 0
printf '%s\n' "$found"
exit 1
