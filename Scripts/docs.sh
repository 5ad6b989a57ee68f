#!/bin/sh
# Builds the documentation of all libraries as one site in .build/docs/site. A link that leads nowhere is an
# error, and so is a public symbol without documentation. The site is made of plain files; BASE is the path
# that it is served under: / by default.
#   --pages DIRECTORY  writes what is built to another directory, for another BASE
#   --self-test        checks that a broken link and a symbol without documentation are found
set -eu
cd "$(dirname "$0")/.."

# A module links to those before it.
modules="Storage Sharing SharingTestSupport Replication"
# The first page is a catalog of its own, which links to all of them.
first=Wellspring
docs=.build/docs
base=${BASE:-/}

# Converts a catalog: convert MODULE CATALOG SYMBOL_GRAPHS ARCHIVE [OPTION …]
convert() {
  module=$1 catalog=$2 graphs=$3 archive=$4
  shift 4
  docc convert "$catalog" --warnings-as-errors \
    --fallback-display-name "$module" --fallback-bundle-identifier "wellspring.$module" \
    --output-path "$archive" ${graphs:+--additional-symbol-graph-dir "$graphs"} \
    --enable-experimental-external-link-support "$@"
}

# Writes the pages for a static server: pages DIRECTORY
pages() {
  docc process-archive transform-for-static-hosting $docs/Wellspring.doccarchive \
    --hosting-base-path "$base" --output-path "$1"
  cp Docs/Site/search.js Docs/Site/search.css "$1/"
  python3 Scripts/search_index.py "$1" "$base"
  # A module's page is at documentation/module; the root leads to the first page.
  cat >"$1/index.html" <<PAGE
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Wellspring</title>
<link rel="icon" href="favicon.ico">
<meta http-equiv="refresh" content="0; url=documentation/wellspring">
<a href="documentation/wellspring">Wellspring</a>
</html>
PAGE
  # The pages ask for it.
  echo '{}' >"$1/theme-settings.json"
}

# Fails unless a command fails and reports each of some texts: expect_failure "COMMAND" TEXT …
expect_failure() {
  command=$1
  shift
  if found=$(eval "$command" 2>&1); then
    echo "docs.sh: this should have failed: $command" >&2
    exit 1
  fi
  for expected in "$@"; do
    case $found in
    *"$expected"*) ;;
    *) echo "docs.sh: \"$expected\" was not reported:" "$found" >&2; exit 1 ;;
    esac
  done
}

case ${1:-} in
--pages)
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  pages "$2"
  exit 0
  ;;
--self-test)
  test=$docs/self-test
  rm -rf $test
  mkdir -p $test/graphs
  swiftc -parse-as-library -module-name Broken -emit-module -emit-module-path $test/Broken.swiftmodule \
    Scripts/docs-self-test/Broken.swift
  sh Scripts/symbol-graph.sh Broken $test/graphs $test
  expect_failure "python3 Scripts/documented.py $test/graphs" \
    "Broken.swift:2: Undocumented has no documentation" \
    "Broken.swift:5: Undocumented.method() has no documentation" \
    "Broken.swift:10: Documented.requirement() has no documentation" \
    "4 of "
  expect_failure "convert Broken Scripts/docs-self-test/Broken.docc $test/graphs $test/Broken.doccarchive" \
    "'NoArticle'" "'noSymbol'" "'no-picture'"
  echo "Broken links, missing pictures and symbols without documentation are found."
  exit 0
  ;;
esac

sh Scripts/install.sh libsqlite3-dev pkg-config python3

sh Scripts/symbol-graphs.sh
rm -rf $docs
mkdir -p $docs/archives

dependencies=""
archives=""
for module in $modules; do
  graphs=.build/symbol-graphs/$module
  archive=$docs/archives/$module.doccarchive
  # shellcheck disable=SC2086 — options.
  convert "$module" "Docs/$module.docc" "$graphs" "$archive" $dependencies
  dependencies="$dependencies --dependency $archive"
  archives="$archives $archive"
done

# shellcheck disable=SC2086 — options.
convert $first "Docs/$first.docc" "" $docs/archives/$first.doccarchive $dependencies
# Last: the sidebar of a module is the first entry with its address, and this page has one, too.
archives="$archives $docs/archives/$first.doccarchive"

python3 Scripts/documented.py .build/symbol-graphs
# shellcheck disable=SC2086 — several words.
python3 Scripts/curated.py $docs/archives $modules

# shellcheck disable=SC2086 — paths.
docc merge $archives --synthesized-landing-page-name Wellspring \
  --synthesized-landing-page-kind "Live SQLite for Swift on Linux" \
  --synthesized-landing-page-topics-style list \
  --output-path $docs/Wellspring.doccarchive
pages $docs/site
echo "The documentation is in $docs/site, to be served under $base: make docs-serve"
