#!/bin/sh
# Builds the documentation of the libraries into .build/docs; a link that leads nowhere is an error.
set -eu
cd "$(dirname "$0")/.."

swift build --quiet
graphs=.build/docs/graphs
rm -rf .build/docs
for module in Storage Sharing SharingTestSupport; do
  mkdir -p "$graphs/$module"
  # The compiler flags that SwiftPM uses for the module map of the system's SQLite.
  swift symbolgraph-extract -module-name "$module" -target "$(swift -print-target-info |
    sed -n 's/.*"triple": "\([^"]*\)".*/\1/p' | head -n 1)" \
    -I "$(swift build --show-bin-path)/Modules" \
    -Xcc -fmodule-map-file="$PWD/Sources/CWellspringSQLite/module.modulemap" \
    -minimum-access-level public -output-dir "$graphs/$module"
  docc convert "Docs/$module.docc" --warnings-as-errors \
    --fallback-display-name "$module" --fallback-bundle-identifier "wellspring.$module" \
    --additional-symbol-graph-dir "$graphs/$module" --output-path ".build/docs/$module"
done
