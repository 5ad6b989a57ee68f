#!/bin/sh
# Compiles the shop of Examples/ReplicatedShop, and runs its nodes until Ctrl-C.
set -eu
cd "$(dirname "$0")/.."

# make complains of a command that a signal ends.
trap 'exit 0' INT
echo "Compiling the shop. The first time takes some minutes."
sh Scripts/install.sh libsqlite3-dev libcurl4-openssl-dev libmicrohttpd-dev pkg-config etcd-server
swift build --package-path Examples/ReplicatedShop --product shop
shop="$(swift build --package-path Examples/ReplicatedShop --show-bin-path)/shop"
exec "$shop" "$@"
