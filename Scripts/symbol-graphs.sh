#!/bin/sh
# Builds the libraries, and writes the symbol graph of each into .build/symbol-graphs/MODULE, unless the
# module is the same as last time.
set -eu
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev pkg-config
sh Scripts/build.sh libraries
modules="$(sh Scripts/build.sh path)/Modules"
for module in Storage Sharing SharingTestSupport Replication; do
  graph=.build/symbol-graphs/$module
  # Comments are in a file of their own, which alone changes with them.
  # shellcheck disable=SC2012 — plain names.
  newest=$(ls -t "$modules/$module".swift* | head -n 1)
  [ "$graph/$module.symbols.json" -nt "$newest" ] && continue
  rm -rf "$graph"
  mkdir -p "$graph"
  sh Scripts/symbol-graph.sh "$module" "$graph"
done
