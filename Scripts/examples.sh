#!/bin/sh
# Builds, tests and runs the packages in Examples, each of which depends on this package as others would.
set -eu
cd "$(dirname "$0")/.."

# A system library serves LiveBoard and ReplicatedShop, which talks to etcd.
sh Scripts/install.sh libmicrohttpd-dev pkg-config libcurl4-openssl-dev etcd-server

# Each is built as a copy in the folder of the checks' own build, where this package is compiled already.
# The copy has the entry point of this package's tests, see XCTMain.swift, and is as deep as the original.
options=$(sh Scripts/build.sh options)
test_package() {
  cp Tests/XCTMain.swift "$1/Tests/"
  # shellcheck disable=SC2086 — several words.
  swift test --quiet --package-path "$1" --scratch-path .build/checks $options \
    --enable-swift-testing --disable-xctest
}

for package in Examples/*/; do
  # FromGRDB holds a package for GRDB 7, which is ported below.
  [ -e "$package/Package.swift" ] || continue
  echo "$package"
  copy=.build/example-$(basename "$package")
  rm -rf "$copy"
  mkdir -p "$copy"
  cp -R "$package/Package.swift" "$package/Sources" "$package/Tests" "$copy/"
  test_package "$copy"
done
products=$(sh Scripts/build.sh path)

# What the job queue's program prints last, whoever has run what.
output=$("$products/jobs")
printf '%s\n' "$output"
printf '%s\n' "$output" | tail -n 1 | grep -qx '0 waiting, 0 running, 4 done, 1 failed'

# What the reminders show at last.
"$products/Reminders" | tail -n 1 | grep -qx 'search: Water the plants'

# What the meters' service prints: a healthy database, and its counts after an orderly end.
output=$("$products/meter" 1)
printf '%s\n' "$output"
printf '%s\n' "$output" | grep -q '^health: (status: 200'
printf '%s\n' "$output" | grep -qx '\[info\] meters: closed'
printf '%s\n' "$output" | grep -qx 'database_observations 0'

# The shop's nodes, whose primary is killed twice: nothing that was sold is lost or doubled, and all files are equal.
output=$("$products/shop" --seconds 12 --kill-primary 4)
printf '%s\n' "$output"
printf '%s\n' "$output" | grep -c ' was killed' | grep -qx 2
printf '%s\n' "$output" | tail -n 1 | grep -q '^The files of all nodes are equal: '

# The page of the board, in two browsers.
BOARD="$products/board" sh Scripts/liveboard.sh

# The library app of FromGRDB compiles and passes after the changes that coming-from-grdb.sh names, and no other.
ported=.build/from-grdb
Scripts/coming-from-grdb/port.sh "$ported"
test_package "$ported"
