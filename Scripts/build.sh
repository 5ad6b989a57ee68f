#!/bin/sh
# Builds what the checks need, in a folder that they share:
#
#   Scripts/build.sh libraries  the libraries
#   Scripts/build.sh tests      the tests, and the tool that some of them start
#   Scripts/build.sh path       prints where the products are
#   Scripts/build.sh options    prints the options for packages that depend on this one
#
# Each module is compiled as a whole, by one process that writes its interface too, without an index and
# without debug information: that takes half of the time of `swift build`, which is for everyday work,
# since it compiles only the files that have changed. WELLSPRING_BUILD is another folder.
# WELLSPRING_SANITIZER is `thread` or `address`: then the lines of the code are kept, for the reports.
# WELLSPRING_COVERAGE counts what runs.
set -eu
cd "$(dirname "$0")/.."

options="--disable-index-store -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2
  -Xswiftc -disable-batch-mode -Xswiftc -no-emit-module-separately-wmo
  -Xswiftc -Xfrontend -Xswiftc -disable-llvm-verify"
if [ -n "${WELLSPRING_SANITIZER:-}" ]; then
  options="$options -Xswiftc -gline-tables-only --sanitize=$WELLSPRING_SANITIZER"
else
  options="$options -Xswiftc -gnone"
fi
[ -z "${WELLSPRING_COVERAGE:-}" ] || options="$options --enable-code-coverage"
build() {
  # shellcheck disable=SC2086 — several words.
  swift build --scratch-path "${WELLSPRING_BUILD:-.build/checks}" $options "$@"
}

case ${1:-} in
libraries)
  # Each needs one half of the others.
  build --quiet --target SharingTestSupport
  build --quiet --target Replication
  ;;
tests)
  build --product WellspringPackageTests
  # The tests of the tool start it.
  case ${WELLSPRING_TESTS:-DemoCLITests} in
  *DemoCLITests*) build --quiet --product wellspring ;;
  esac
  case ${WELLSPRING_TESTS:-ReplicationTests} in
  *ReplicationTests*) build --quiet --product wellspring-replicas ;;
  esac
  ;;
path) build --show-bin-path ;;
options) echo $options ;;
*)
  echo "build.sh: expected libraries, tests, path or options" >&2
  exit 2
  ;;
esac
