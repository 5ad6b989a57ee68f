#!/bin/sh
# Gets the damaged databases of SQLite's own tests from Debian's source package, into .build/fuzz-images.
# `make lab` uses them.
#
#   Scripts/fuzz-images.sh    prints the folder
#
# URL is where the source package is.
set -eu
cd "$(dirname "$0")/.."

version=3.40.1
url=${URL:-http://deb.debian.org/debian/pool/main/s/sqlite3/sqlite3_$version.orig.tar.xz}
folder=$PWD/.build/fuzz-images
if [ ! -e "$folder/done" ]; then
  sh Scripts/install.sh curl ca-certificates xz-utils >&2
  rm -rf "$folder"
  mkdir -p "$folder"
  curl --silent --show-error --fail --location "$url" |
    tar -xJ --directory "$folder" --strip-components 2 --wildcards '*/test/fuzzdata*.db'
  touch "$folder/done"
fi
echo "$folder"
