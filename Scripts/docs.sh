#!/bin/sh
# Builds the documentation of the libraries into .build/docs; a link that leads nowhere is an error.
set -eu
cd "$(dirname "$0")/.."

swift build --quiet
graphs=.build/docs/graphs
rm -rf .build/docs
for module in Storage Sharing SharingTestSupport Replication; do
  mkdir -p "$graphs/$module"
  sh Scripts/symbol-graph.sh "$module" "$graphs/$module"
  docc convert "Docs/$module.docc" --warnings-as-errors \
    --fallback-display-name "$module" --fallback-bundle-identifier "wellspring.$module" \
    --additional-symbol-graph-dir "$graphs/$module" --output-path ".build/docs/$module"
done
