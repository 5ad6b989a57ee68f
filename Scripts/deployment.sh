#!/bin/sh
# Follows the guide Deploying in a bare root of Debian: builds the service of Examples/Operations, makes its
# image by the commands of the Containerfile, runs, stops, upgrades and backs it up, and checks its units.
#
#   Scripts/deployment.sh            in bookworm (12)
#   Scripts/deployment.sh RELEASE    in another release
#
# It is no test of a container engine: each command of the second stage runs in a root of its own.
set -eu
cd "$(dirname "$0")/.."
script=deployment.sh
. Scripts/roots.sh
sh Scripts/install.sh libsqlite3-dev pkg-config sqlite3

folder=Examples/Operations/Deployment
build=.build/deployment
swift build --package-path Examples/Operations --scratch-path "$build" \
  --configuration release --static-swift-stdlib -Xlinker -s --product meter

release=${1:-bookworm}
root=$(root_of "$release")
mount -t proc proc "$root/proc" || fail "/proc cannot be mounted"
if inside "$root" sh -c 'command -v swift' >/dev/null; then fail "this root has Swift"; fi

# The commands of the second stage, one a line.
stage() {
  sed -n '/^FROM .*debian/,$p' "$folder/Containerfile" | grep -v '^#' | sed -e ':join' -e '/\\$/N; s/\\\n *//; t join'
}
user=root
variables=
stage | while read -r command arguments; do
  case $command in
  '' | FROM | VOLUME | STOPSIGNAL | CMD) ;;
  RUN)
    inside "$root" sh -ec "export DEBIAN_FRONTEND=noninteractive; $arguments" >>"$root.log" 2>&1 ||
      fail "a command of the Containerfile fails: $arguments; see $root.log"
    ;;
  COPY)
    # COPY --from=build /build/release/meter /usr/local/bin/meter
    # shellcheck disable=SC2086 — the words of the command.
    set -- $arguments
    [ "$1" = --from=build ] || fail "what is copied is not from the first stage: $arguments"
    cp "$build/${2#/build/}" "$root$3"
    ;;
  USER | ENV) ;;
  *) fail "the Containerfile has a command that this script does not know: $command" ;;
  esac
done
user=$(stage | sed -n 's/^USER //p')
variables=$(stage | sed -n 's/^ENV //p')
program=$(stage | sed -n 's/^CMD \["\(.*\)"\]$/\1/p')
database=$root/var/lib/meter/meters.sqlite

# What a library of the image must hold, and nothing of Swift.
needed=$(inside "$root" sh -c "ldd $program") || fail "a library is missing: $needed"
case $needed in *"not found"* | *libswift*) fail "a library is missing: $needed" ;; esac

# Runs the service for two seconds, stops it as a supervisor does, and prints what it has printed.
run_service() {
  # shellcheck disable=SC2086 — one word a variable.
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin $variables \
    timeout --preserve-status --kill-after=15 --signal=TERM 2 \
    chroot --userspec="$user" "$root" "$program" >"$root.out" 2>&1 || fail "the service ended with $?: $(cat "$root.out")"
  grep -qx '\[info\] meters: closed' "$root.out" || fail "it was not shut down: $(cat "$root.out")"
  [ ! -s "$database-wal" ] || fail "the WAL is not empty after an orderly end"
}
readings() { sqlite3 "$database" "SELECT count(*) FROM reading"; }

# An older version has left a file that has no times.
sqlite3 "$database" "
  CREATE TABLE reading (id INTEGER PRIMARY KEY, meter TEXT NOT NULL, value REAL NOT NULL);
  INSERT INTO reading (meter, value) VALUES ('cellar', 17)"
inside "$root" chown meter:meter /var/lib/meter/meters.sqlite
run_service
first=$(readings)
[ "$first" -gt 10 ] || fail "only $first readings"
[ "$(sqlite3 "$database" "SELECT count(*) FROM reading WHERE takenAt IS NULL")" = 1 ] || fail "the old reading is gone"
run_service
[ "$(readings)" -gt "$first" ] || fail "nothing was stored after the second start"

# The copy by the commands of the unit, while the service runs, and the copy in the place of the file.
inside "$root" sh -ec 'apt-get update; apt-get install --yes --no-install-recommends sqlite3 systemd' >>"$root.log" 2>&1 ||
  fail "systemd is not installed: see $root.log"
# shellcheck disable=SC2086 — one word a variable.
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin $variables \
  timeout --preserve-status --signal=TERM 4 chroot --userspec="$user" "$root" "$program" >"$root.out" 2>&1 &
service=$!
sed -n 's/^ExecStart=//p' "$folder/meter-backup.service" | while read -r command; do
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot --userspec="$user" "$root" sh -ec "$command" ||
    fail "a command of the backup fails: $command"
done
wait "$service" || fail "the service did not go on: $(cat "$root.out")"
copied=$(sqlite3 "$root/var/lib/meter/backup.sqlite" "SELECT count(*) FROM reading")
[ "$copied" -gt "$first" ] || fail "the copy has only $copied readings"
rm -f "$database" "$database-wal" "$database-shm"
mv "$root/var/lib/meter/backup.sqlite" "$database"
run_service
[ "$(readings)" -gt "$copied" ] || fail "nothing was stored in the restored file"

# The units.
cp "$folder"/*.service "$folder"/*.timer "$root/etc/systemd/system/"
for unit in "$folder"/*.service "$folder"/*.timer; do
  messages=$(inside "$root" systemd-analyze verify "/etc/systemd/system/$(basename "$unit")" 2>&1) ||
    fail "$(basename "$unit"): $messages"
  [ -z "$messages" ] || fail "$(basename "$unit"): $messages"
done

size=$(du --summarize --block-size=MB "$root$program" | cut -f 1)
umount "$root/proc"
rm -rf --one-file-system "$root"
echo "deployment.sh: $release: the service ($size) runs, stops, migrates an old file, and is restored from its copy; its units are right"
