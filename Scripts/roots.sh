# Bare roots of Debian, for scripts that are called with `sh`: `script` is the name of the script, which
# includes this file first. It needs root, and does nothing where a process may not mount, as in most
# containers. The roots are made by debootstrap, once, and kept in .build/roots. MIRROR says where Debian's
# packages are.

fail() {
  echo "$script: $*" >&2
  exit 1
}
[ "$(id -u)" -eq 0 ] || fail "only root can make a root of Debian and enter it"
if [ -z "${HAS_OWN_MOUNTS:-}" ]; then
  # What is mounted goes with this process, however it ends.
  unshare --mount true 2>/dev/null || {
    echo "$script: skipped, since nothing can be mounted here"
    exit
  }
  HAS_OWN_MOUNTS=1 exec unshare --mount sh "$0" "$@"
fi
sh Scripts/install.sh debootstrap debian-archive-keyring

# Prints a root of a release, as new.
root_of() {
  base=.build/roots/$1.base
  if ! [ -d "$base" ]; then
    rm -rf "$base.part"
    mkdir -p .build/roots
    debootstrap --variant=minbase "$1" "$base.part" "${MIRROR:-http://deb.debian.org/debian}" \
      >"$base.log" 2>&1 || fail "debootstrap failed: see $base.log"
    mv "$base.part" "$base"
  fi
  rm -rf --one-file-system ".build/roots/$1"
  cp -a "$base" ".build/roots/$1"
  cp /etc/resolv.conf ".build/roots/$1/etc/"
  echo ".build/roots/$1"
}

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=xterm LANG=C.UTF-8 \
    ${http_proxy:+"http_proxy=$http_proxy"} chroot "$@"
}
