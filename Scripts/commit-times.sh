#!/bin/sh
# Sets the time of each file to that of the last commit that changed it, so that a build whose folder
# comes from a cache compiles only what has changed. The history must be there.
set -eu
cd "$(dirname "$0")/.."

git log --format='%x09%ct' --name-only --no-renames |
  awk -F '\t' 'NF == 2 { time = $2; next } $0 != "" && !($0 in times) { times[$0] = time; print time "\t" $0 }' |
  while IFS="$(printf '\t')" read -r time file; do
    [ ! -f "$file" ] || touch --no-create --date "@$time" "$file"
  done
