#!/usr/bin/env bash
# Checks that each folder of Sources names only the folders that it may name: see Scripts/edges.py.
# It builds first, for the index; with --release, `make release` has.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev pkg-config python3
[ "${1:-}" = --release ] || swift build --quiet
python3 Scripts/edges.py "$@"
