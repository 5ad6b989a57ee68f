#!/bin/sh
# Tests the page of Examples/LiveBoard in two browsers, and that the test notices wrong patches. BOARD
# names a server that is built already.
set -eu
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev pkg-config libmicrohttpd-dev sqlite3 python3 chromium
board=${BOARD:-}
if [ -z "$board" ]; then
  swift build --quiet --package-path Examples/LiveBoard --product board
  board="$(swift build --package-path Examples/LiveBoard --show-bin-path)/board"
fi
python3 Scripts/liveboard.py "$board" "$@"
if [ $# -eq 0 ]; then python3 Scripts/liveboard.py "$board" --faults; fi
