#!/bin/sh
# Runs the tests of replicas with the etcd of another release of Debian: of trixie (13), which has 3.5, or
# of the one that is given. Its packages are unpacked in .build/etcd, and not installed. MIRROR says where
# Debian's packages are. Debian has no etcd 3.6.
set -eu
cd "$(dirname "$0")/.."
release=${1:-trixie}
folder=$PWD/.build/etcd/$release

if [ ! -x "$folder/root/usr/bin/etcd" ]; then
  rm -f "$folder"/etcd-*.deb
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  key=/usr/share/keyrings/debian-archive-keyring.gpg
  echo "deb [signed-by=$key] ${MIRROR:-http://deb.debian.org/debian} $release main" >"$folder/sources.list"
  options="-o Dir::Etc::sourcelist=$folder/sources.list -o Dir::Etc::sourceparts=-
    -o Dir::State::lists=$folder/lists -o Dir::Cache=$folder/cache -o APT::Sandbox::User=root"
  # shellcheck disable=SC2086 # They are several arguments.
  apt-get --quiet=2 $options update
  # The version that is installed is not one of that release.
  # shellcheck disable=SC2086
  (cd "$folder" && apt-get --quiet=2 $options download "etcd-server/$release" "etcd-client/$release")
  rm -rf "$folder/part"
  for package in "$folder"/etcd-*.deb; do dpkg-deb -x "$package" "$folder/part"; done
  # Only what is complete has the name that is looked for.
  rm -rf "$folder/root"
  mv "$folder/part" "$folder/root"
fi
export WELLSPRING_ETCD="$folder/root/usr/bin"
"$WELLSPRING_ETCD/etcd" --version | head -n 1
export WELLSPRING_TESTS=ReplicationTests WELLSPRING_FILTER='Etcd|Failover|Replicas|Announcement'
exec Scripts/test.sh
