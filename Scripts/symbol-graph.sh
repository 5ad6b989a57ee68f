#!/bin/sh
# Writes the symbol graph of a built module: Scripts/symbol-graph.sh MODULE DIRECTORY [FOLDER_OF_MODULES]
set -eu
cd "$(dirname "$0")/.."

modules=${3:-$(swift build --show-bin-path)/Modules}
triple=$(swift -print-target-info | sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)
# The module map is that of the system's SQLite, with the flag that SwiftPM uses for it.
swift symbolgraph-extract -module-name "$1" -target "$triple" \
  -I "$modules" \
  -Xcc -fmodule-map-file="$PWD/Sources/CWellspringSQLite/module.modulemap" \
  -minimum-access-level public -output-dir "$2"
