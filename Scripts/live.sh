#!/bin/sh
# Compiles the board of Examples/LiveBoard, and serves it until Ctrl-C. BOARD names one that is built already.
set -eu
cd "$(dirname "$0")/.."

# make complains of a command that a signal ends.
trap 'exit 0' INT
board=${BOARD:-}
if [ -z "$board" ]; then
  echo "Compiling the board. The first time takes some minutes."
  sh Scripts/install.sh libsqlite3-dev pkg-config libmicrohttpd-dev
  swift build --package-path Examples/LiveBoard --product board
  board="$(swift build --package-path Examples/LiveBoard --show-bin-path)/board"
fi
exec "$board" "$@"
