#!/usr/bin/env bash
# Compares the public API with that of the last release: a declaration that is gone breaks users.
#
#   Scripts/api.sh            fails when a declaration of the last release is missing, and prints it
#   Scripts/api.sh --release  writes the present API as that of the release in the changelog
#
# `API` holds one file a module, with one public declaration a line. A break that is meant stands in the
# changelog with what to write instead, and its line in `API/breaks.txt`.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev pkg-config python3
swift build --quiet
graphs=.build/api
rm -rf "$graphs"
for module in Storage Sharing SharingTestSupport Replication; do
  mkdir -p "$graphs/$module"
  sh Scripts/symbol-graph.sh "$module" "$graphs/$module"
done
python3 Scripts/api.py "$graphs" "$@"
