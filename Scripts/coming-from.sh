#!/bin/sh
# Finds the lines of a package for another library that need a change, and prints what to write.
#
#   sh Scripts/coming-from.sh grdb|sqlite-swift|sharing-grdb|sqlite-data DIRECTORY
#
# It reads the Swift files below the directory, and prints `file:line: what to write`. It exits with 0 when it
# finds nothing, with 1 when it finds something, and with 2 when it cannot run. It needs a shell, grep and awk.
# The rules are in coming-from/LIBRARY.tsv, and in coming-from-grdb/rules.tsv.
set -u

folder=$(dirname "$0")
case ${1:-} in
grdb) rules=$folder/coming-from-grdb/rules.tsv ;;
sqlite-swift | sqlite.swift) rules=$folder/coming-from/sqlite-swift.tsv ;;
sharing-grdb | sqlite-data) rules=$folder/coming-from/sharing-grdb.tsv ;;
*) rules= ;;
esac
if [ $# -ne 2 ] || [ ! -d "$2" ] || [ -z "$rules" ]; then
  echo "usage: coming-from.sh grdb|sqlite-swift|sharing-grdb|sqlite-data DIRECTORY" >&2
  exit 2
fi
if [ ! -r "$rules" ]; then
  echo "coming-from.sh: the rules $rules cannot be read" >&2
  exit 2
fi

# One line a finding. Lines of comments are no code.
found=$(
  tab=$(printf '\t')
  while IFS=$tab read -r pattern advice _; do
    case $pattern in '' | '#'*) continue ;; esac
    grep -rnE --include='*.swift' --exclude-dir=.build -e "$pattern" "$2" |
      grep -vE '^[^:]*:[0-9]+:[[:space:]]*//' |
      ADVICE=$advice awk -F : '{ print $1 ":" $2 ": " ENVIRON["ADVICE"] }'
  done <"$rules" | sort -u | LC_ALL=C sort -t : -k 1,1 -k 2,2n
)
[ -n "$found" ] || exit 0
printf '%s\n' "$found"
exit 1
