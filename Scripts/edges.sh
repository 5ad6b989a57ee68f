#!/usr/bin/env bash
# Checks that each folder of Sources names only the folders that it may name: see Scripts/edges.py.
set -euo pipefail
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev pkg-config python3
swift build --quiet
python3 Scripts/edges.py "$@"
