#!/bin/sh
# Installs the Debian package of the tool in bare roots of Debian, which have no Swift, and uses it there;
# then the tarball, after the package is removed.
#
#   Scripts/deb-roots.sh              the releases bookworm (12) and trixie (13), with .build/deb
#   Scripts/deb-roots.sh DIR RELEASE… other releases, with the package and the tarball of DIR
#
# It needs root, and does nothing where a process may not mount, as in most containers. The roots are made
# by debootstrap, once, and kept in .build/roots. MIRROR says where Debian's packages are.
set -eu
cd "$(dirname "$0")/.."
script=deb-roots.sh
. Scripts/roots.sh
sh Scripts/install.sh dpkg sqlite3 bsdutils xz-utils

folder=${1:-.build/deb}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- bookworm trixie
package=$(find "$folder" -maxdepth 1 -name 'wellspring_*.deb')
tarball=$(find "$folder" -maxdepth 1 -name 'wellspring-*.tar.xz')
[ -f "$package" ] && [ -f "$tarball" ] || fail "$folder does not hold one package and one tarball; call \`make deb\`"

# The guide of the tool says 19 MB.
size=$(dpkg-deb --field "$package" Installed-Size)
[ $((size * 1024)) -lt 20000000 ] || fail "the package takes $size KiB when it is installed"

# Runs the tool in a root, where it is installed: on a file, in a pipe, on a terminal, and while another
# process writes.
use() {
  inside "$root" wellspring --version | grep -q '^wellspring [0-9]' || fail "no version"
  rm -f "$root"/tmp/shop.sqlite*
  sqlite3 "$root/tmp/shop.sqlite" "
    PRAGMA journal_mode = WAL;
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL);
    INSERT INTO item VALUES (1, 'Teapot', 24.5), (2, 'Teecup · ☕', 6.8)" >/dev/null
  rows=$(inside "$root" wellspring query /tmp/shop.sqlite "SELECT upper(name), price FROM item" --format csv)
  [ "$(printf '%s\n' "$rows" | tail -n 1 | tr -d '\r')" = "TEECUP · ☕,6.8" ] || fail "other rows: $rows"
  count=$({
    inside "$root" wellspring dump /tmp/shop.sqlite
    echo 'SELECT count(*) FROM item;'
  } | sqlite3 :memory:)
  [ "$count" = 2 ] || fail "the dump makes $count rows"

  # The first value is read before another process writes. The tool ends with its pipe.
  rm -f "$root/values"
  mkfifo "$root/values"
  inside "$root" timeout 60 wellspring watch /tmp/shop.sqlite item >"$root/values" &
  exec 3<"$root/values"
  read -r value <&3 || fail "watch prints nothing"
  sqlite3 "$root/tmp/shop.sqlite" "UPDATE item SET price = 7 WHERE id = 2"
  read -r value <&3 || fail "watch does not see the update"
  exec 3<&-
  case $value in *'"price":7.0'*) ;; *) fail "another value: $value" ;; esac
  sqlite3 "$root/tmp/shop.sqlite" "UPDATE item SET price = 8 WHERE id = 2"
  wait $! || fail "watch did not end with its pipe"

  screen=$(script --quiet --return --command \
    "env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm chroot $root wellspring demo --seconds 2" \
    /dev/null </dev/null)
  case $screen in *stock*) ;; *) fail "the demo does not show its table: $screen" ;; esac
}

for release; do
  echo "deb-roots.sh: $release"
  root=$(root_of "$release")
  # Swift reads the arguments of a program there.
  mount -t proc proc "$root/proc" || fail "/proc cannot be mounted"
  if [ -e "$root/opt/swift" ] || inside "$root" sh -c 'command -v swift' >/dev/null; then
    fail "this root has Swift"
  fi
  cp "$package" "$root/tmp/wellspring.deb"
  inside "$root" sh -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install --yes \
    --no-install-recommends /tmp/wellspring.deb' >"$root.log" 2>&1 || fail "it is not installed: see $root.log"
  use
  inside "$root" apt-get remove --yes wellspring >>"$root.log" 2>&1 || fail "it is not removed: see $root.log"
  [ -z "$(find "$root/usr" -name '*wellspring*')" ] || fail "files are left after the removal"
  tar -C "$root" -xJf "$tarball"
  use
  echo "deb-roots.sh: $release: the package ($size KiB) and the tarball work, with SQLite" \
    "$(inside "$root" dpkg-query -W -f '${Version}' libsqlite3-0)"
  umount "$root/proc"
  rm -rf --one-file-system "$root"
done
