#!/bin/sh
# Makes a Debian package of the tool, with Swift linked statically, and a tarball with the same files:
#
#   Scripts/deb.sh           builds the tool, and packs it into .build/deb
#   Scripts/deb.sh TOOL DIR  packs TOOL into DIR
#   Scripts/deb.sh --build   builds the tool only, and prints its path
#
# The machine that installs it needs no Swift: only SQLite and the C and C++ libraries. LEVEL is how well xz
# compresses both: 6, or 0 for haste.
set -eu
cd "$(dirname "$0")/.."

# Builds the tool without the parts of Foundation that need ICU, which takes half of its size: see
# WELLSPRING_WITHOUT_ICU in Sources. It is compiled for size. ld.bfd packs the relocations in the form that
# glibc reads, which saves 1.3 MB; leaving out the dynamic symbols saves 0.7 MB.
build() {
  folder=.build/deb
  mkdir -p "$folder"
  set -- -c release --static-swift-stdlib --disable-index-store --product wellspring \
    --scratch-path "$folder/build" -Xswiftc -DWELLSPRING_WITHOUT_ICU -Xswiftc -Osize -Xlinker --gc-sections \
    -Xswiftc -use-ld=bfd -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
  swift build "$@" >&2
  echo "$(swift build "$@" --show-bin-path)/wellspring"
}

case ${1:-} in
--build)
  build
  exit
  ;;
"") tool=$(build) directory=.build/deb ;;
*) tool=$1 directory=$2 ;;
esac

rm -f "$directory"/wellspring[_-]*.deb "$directory"/wellspring-*.tar.xz
# The newest version of glibc that the tool needs: 2.36 reads its relocations.
libc=$({
  echo 2.36
  objdump -T "$tool" | sed -n 's/.*GLIBC_\([0-9.]*\).*/\1/p'
} | sort -V | tail -n 1)
version=$("$tool" --version | cut -d ' ' -f 2)
architecture=$(dpkg --print-architecture)
name=wellspring_${version}_$architecture
root=$directory/$name
rm -rf "$root"
mkdir -p "$root/DEBIAN"
sh Scripts/install-tool.sh "$tool" "$root/usr" >/dev/null
gzip -9n "$root/usr/share/man/man1/wellspring.1"
install -d "$root/usr/share/doc/wellspring"
install -m 644 LICENSE "$root/usr/share/doc/wellspring/copyright"
# Debian's completions of zsh are elsewhere.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_wellspring" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"

cat > "$root/DEBIAN/control" <<END
Package: wellspring
Version: $version
Architecture: $architecture
Maintainer: The authors of Wellspring <wellspring@example.org>
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: libc6 (>= $libc), libgcc-s1, libsqlite3-0, libstdc++6
Section: database
Priority: optional
Description: shows what is in a SQLite file, live
 wellspring watches tables, views and queries of SQLite files on a terminal,
 whichever process writes to them. It follows new rows, runs commands for
 changes, and prints rows, schemas and dumps.
END
level=${LEVEL:-6}
dpkg-deb --root-owner-group -Zxz "-z$level" --build "$root" "$directory" >/dev/null
XZ_OPT="-$level" tar -C "$root" --owner=0 --group=0 -cJf "$directory/wellspring-$version-$architecture.tar.xz" usr
rm -rf "$root"
for file in "$directory/$name.deb" "$directory/wellspring-$version-$architecture.tar.xz"; do
  echo "Made $file ($(du -k "$file" | cut -f 1) KiB)."
done
