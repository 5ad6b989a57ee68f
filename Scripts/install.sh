#!/bin/sh
# Installs those of the given Debian packages that are missing.
set -eu

missing=""
for package in "$@"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing"
run=""
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "install.sh: root must install:$missing" >&2
    exit 1
  }
  run=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 — one word a package.
$run apt-get install -y --no-install-recommends $missing >/dev/null 2>&1 || {
  $run apt-get update >/dev/null
  $run apt-get install -y --no-install-recommends $missing >/dev/null
}
