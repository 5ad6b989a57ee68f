#!/bin/sh
# Tests the page of Examples/LiveBoard in two browsers, and that the test notices wrong patches.
set -eu
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev pkg-config libmicrohttpd-dev sqlite3 python3 chromium
swift build --quiet --package-path Examples/LiveBoard --product board
board="$(swift build --package-path Examples/LiveBoard --show-bin-path)/board"
python3 Scripts/liveboard.py "$board" "$@"
if [ $# -eq 0 ]; then python3 Scripts/liveboard.py "$board" --faults; fi
