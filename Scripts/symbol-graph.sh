#!/bin/sh
# Writes the symbol graph of a built module: Scripts/symbol-graph.sh MODULE DIRECTORY [FOLDER_OF_MODULES]
set -eu
cd "$(dirname "$0")/.."

modules=${3:-$(sh Scripts/build.sh path)/Modules}
triple=$(swift -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)
# The module maps are those of the system's SQLite and curl.
swift symbolgraph-extract -module-name "$1" -target "$triple" \
  -I "$modules" \
  -Xcc -fmodule-map-file="$PWD/Sources/CWellspringSQLite/module.modulemap" \
  -Xcc -fmodule-map-file="$PWD/Sources/CWellspringCurl/module.modulemap" \
  -minimum-access-level public -output-dir "$2"
