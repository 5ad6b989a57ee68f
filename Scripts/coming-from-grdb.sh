#!/usr/bin/env bash
# Finds the lines of a package for GRDB 7 that need a change, and prints what to write.
#
#   Scripts/coming-from-grdb.sh DIRECTORY
#
# It reads the Swift files below the directory, and prints `file:line: what to write`. It exits with 0 when it
# finds nothing, with 1 when it finds something, and with 2 when it cannot run. It needs bash, grep and awk.
# The rules are in coming-from-grdb/rules.tsv.
set -uo pipefail

rules="$(dirname "$0")/coming-from-grdb/rules.tsv"
if [ $# -ne 1 ] || [ ! -d "$1" ] || [ ! -r "$rules" ]; then
  echo "usage: coming-from-grdb.sh DIRECTORY" >&2
  exit 2
fi

# One line a finding. Lines of comments are no code.
found=$(
  while IFS=$'\t' read -r pattern advice _; do
    case $pattern in '' | '#'*) continue ;; esac
    grep -rnE --include='*.swift' --exclude-dir=.build -e "$pattern" "$1" |
      grep -vE '^[^:]*:[0-9]+:[[:space:]]*//' |
      ADVICE=$advice awk -F : '{ print $1 ":" $2 ": " ENVIRON["ADVICE"] }'
  done <"$rules" | sort -u | LC_ALL=C sort -t : -k 1,1 -k 2,2n
)
[ -n "$found" ] || exit 0
printf '%s\n' "$found"
exit 1
