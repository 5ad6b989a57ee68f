#!/bin/sh
# Finds the lines of a package for GRDB 7 that need a change, and prints what to write.
#
#   Scripts/coming-from-grdb.sh DIRECTORY
#
# It is `Scripts/coming-from.sh grdb DIRECTORY`.
if [ $# -ne 1 ] || [ ! -d "$1" ]; then
  echo "usage: coming-from-grdb.sh DIRECTORY" >&2
  exit 2
fi
exec sh "$(dirname "$0")/coming-from.sh" grdb "$1"
