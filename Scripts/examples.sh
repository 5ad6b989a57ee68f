#!/bin/sh
# Builds, tests and runs the packages in Examples, each of which depends on this package as others would.
set -eu
cd "$(dirname "$0")/.."

# LiveBoard is served by a system library, and ReplicatedShop talks to etcd.
sh Scripts/install.sh libmicrohttpd-dev pkg-config libcurl4-openssl-dev etcd-server

# They share a folder of builds, so that this package is compiled once.
build=$PWD/.build/examples

for package in Examples/*/; do
  # FromGRDB holds a package for GRDB 7, which is ported below.
  [ -e "$package/Package.swift" ] || continue
  echo "$package"
  swift test --quiet --package-path "$package" --scratch-path "$build"
done
products="$(swift build --package-path "$package" --scratch-path "$build" --show-bin-path)"

# What the job queue's program prints last, whoever has run what.
output=$("$products/jobs")
printf '%s\n' "$output"
printf '%s\n' "$output" | tail -n 1 | grep -qx '0 waiting, 0 running, 4 done, 1 failed'

# What the meters' service prints: a healthy database, and its counts after an orderly end.
output=$("$products/meter" 1)
printf '%s\n' "$output"
printf '%s\n' "$output" | grep -q '^health: (status: 200'
printf '%s\n' "$output" | grep -qx '\[info\] meters: closed'
printf '%s\n' "$output" | grep -qx 'database_observations 0'

# The shop's nodes, whose primary is killed twice: nothing that was sold is lost, and all files are equal.
output=$("$products/shop" --seconds 12 --kill-primary 4)
printf '%s\n' "$output"
printf '%s\n' "$output" | grep -c ' was killed' | grep -qx 2
printf '%s\n' "$output" | tail -n 1 | grep -q '^The files of all nodes are equal: '

# The page of the board, in two browsers.
BOARD="$products/board" sh Scripts/liveboard.sh

# The library app of FromGRDB compiles and passes after the changes that coming-from-grdb.sh names, and no other.
ported=.build/from-grdb
Scripts/coming-from-grdb/port.sh "$ported"
swift test --quiet --package-path "$ported" --scratch-path "$build"
