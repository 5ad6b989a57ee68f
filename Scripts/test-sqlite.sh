#!/usr/bin/env bash
# Runs the tests with another SQLite: one of Debian, built from Debian's source package with Debian's
# options, and the shell of the same version beside it.
#
#   Scripts/test-sqlite.sh 3.46.1                         the version of SQLite
#   Scripts/test-sqlite.sh unstable                       the version of a release of Debian
#   WITHOUT="SESSION FTS5" Scripts/test-sqlite.sh 3.46.1  without these compile options
#   Scripts/test-sqlite.sh 3.46.1 --filter Changeset      some of the tests
#
# RELEASES says in which releases to look for a version, MIRROR where; without it, the mirror of the
# machine's own configuration. Nothing of that configuration changes: the lists of source packages are
# kept in .build/sqlite, and so are the builds.
set -euo pipefail
cd "$(dirname "$0")/.."

[ $# -gt 0 ] || {
  echo "usage: Scripts/test-sqlite.sh VERSION|RELEASE [options of swift test]" >&2
  exit 2
}
wanted=$1
shift
without=${WITHOUT:-}
root=$PWD/.build/sqlite
apt=$root/apt

# The mirror of the first configured source that holds all of a release.
mirror() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Identifier: Packages' 2>/dev/null |
    awk '$2 !~ /-/ && $1 ~ /debian\/?$/ { print $1; exit }'
}

apt_get() {
  local command=$1
  shift
  "$command" -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" -o Acquire::Languages=none \
    -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true "$@"
}

# Writes a list with the source packages of one release, and prints SQLite's newest version in it.
version_in() {
  local release=$1 keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  printf 'deb-src [signed-by=%s] %s %s main\n' "$keyring" "$source" "$release" >"$apt/sources.list"
  apt_get apt-get update --quiet --quiet >&2 || return 1
  apt_get apt-cache showsrc sqlite3 2>/dev/null | sed -n 's/^Version: //p' | sort -V | tail -n 1
}

# Unpacks Debian's source package, patches applied, into the current directory.
download() {
  local release package
  source=${MIRROR:-$(mirror)}
  source=${source:-http://deb.debian.org/debian/}
  case $wanted in
    [0-9]*) releases=${RELEASES:-oldstable stable testing unstable} ;;
    newest) releases=unstable ;;
    *) releases=$wanted ;;
  esac
  for release in $releases; do
    package=$(version_in "$release") || continue
    case $wanted in
      [0-9]*) case $package in "$wanted"-* | "$wanted".*) ;; *) continue ;; esac ;;
    esac
    [ -n "$package" ] || continue
    version=${package%%-*}
    version=${version%%+*}
    echo "test-sqlite.sh: $package of $release, from $source"
    tree=$root/sqlite3-$version
    [ -d "$tree" ] || (cd "$root" && apt_get apt-get source --quiet --quiet "sqlite3=$package")
    return
  done
  echo "test-sqlite.sh: no release of Debian ($releases) at $source has SQLite $wanted" >&2
  exit 1
}

# Prints Debian's options for the C compiler, without those that are not wanted.
options() {
  local option
  make --silent --no-print-directory -f - print <<'MAKE' | tr ' ' '\n' | grep -E '^-(O|D|f)' |
include debian/rules
print:
	@echo '$(CFLAGS)'
MAKE
    while read -r option; do
      for name in $without; do
        case $option in -DSQLITE_$name | -DSQLITE_$name=* | -DSQLITE_ENABLE_$name | \
          -DSQLITE_ENABLE_$name=*) continue 2 ;; esac
      done
      # Paths of the build are no business of a test build.
      case $option in -f*-prefix-map=*) ;; *) printf '%s ' "$option" ;; esac
    done
}

# Compiles and installs the library and the shell into $prefix.
compile() {
  local switches="--enable-threadsafe --enable-load-extension --enable-json --enable-fts4"
  case " $without " in *" FTS5 "*) ;; *) switches="$switches --enable-fts5" ;; esac
  case " $without " in *" MATH_FUNCTIONS "*) switches="$switches --disable-math" ;; esac
  local help
  help=$(cd "$tree" && ./configure --help)
  case $help in *--soname*) switches="$switches --soname=legacy" ;; esac
  case $help in *--disable-rpath*) switches="$switches --disable-rpath" ;; esac
  rm -rf "$build" "$prefix"
  cp -r "$tree" "$build"
  (
    cd "$build"
    flags=$(options)
    # shellcheck disable=SC2086 — one word a switch.
    CFLAGS=$flags ./configure --prefix="$prefix" --disable-tcl --disable-amalgamation $switches
    # Old versions compile the shell from what they have installed, so that targets run one by one.
    make -j "$(nproc)"
    make install
  ) >"$build.log" 2>&1 || {
    tail -n 30 "$build.log" >&2
    exit 1
  }
}

sh Scripts/install.sh libsqlite3-dev pkg-config sqlite3 dpkg-dev gcc make libc6-dev tcl
mkdir -p "$root"
# A version that was built before needs no look at the mirror.
version=$wanted
name() { printf 'install-%s%s' "$version" "${without:+-without-$(echo "$without" | tr -s ' ' '-')}"; }
prefix=$root/$(name)
if [ ! -e "$prefix/done" ]; then
  download
  prefix=$root/$(name)
fi
build=$root/build-${prefix##*/install-}
if [ ! -e "$prefix/done" ]; then
  echo "test-sqlite.sh: compiling SQLite $version${without:+ without $without}"
  compile
  rm -rf "$build"
  touch "$prefix/done"
fi

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
export LD_LIBRARY_PATH=$prefix/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PATH=$prefix/bin:$PATH
found=$(sqlite3 :memory: 'SELECT sqlite_version()')
[ "$found" = "$version" ] || {
  echo "test-sqlite.sh: the shell has SQLite $found instead of $version" >&2
  exit 1
}
echo "test-sqlite.sh: SQLite $found"
export WELLSPRING_SCRATCH_PATH=.build/${prefix##*/install-}-tests
# What another SQLite is promised to be is checked by a test.
export WELLSPRING_SQLITE=$version WELLSPRING_SQLITE_WITHOUT=$without
[ -z "${ONLY_BUILD:-}" ] || exit 0
if [ -n "$without" ] && [ $# -eq 0 ]; then
  set -- --filter CompileOption
fi
exec Scripts/test.sh "$@"
