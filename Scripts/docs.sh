#!/bin/sh
# Builds the documentation of all libraries as one site in .build/docs. A link that leads nowhere is an
# error, and so is a public symbol without documentation. The site is made of plain files; BASE is the
# path that it is served under: / by default.
set -eu
cd "$(dirname "$0")/.."

sh Scripts/install.sh libsqlite3-dev pkg-config python3

docs=.build/docs
base=${BASE:-/}
swift build --quiet
rm -rf $docs
mkdir -p $docs/archives

# A module links to those before it.
dependencies=""
archives=""
for module in Storage Sharing SharingTestSupport; do
  graphs=$docs/graphs/$module
  archive=$docs/archives/$module.doccarchive
  mkdir -p $graphs
  sh Scripts/symbol-graph.sh $module $graphs
  # shellcheck disable=SC2086 — options.
  docc convert Docs/$module.docc --warnings-as-errors \
    --fallback-display-name $module --fallback-bundle-identifier wellspring.$module \
    --additional-symbol-graph-dir $graphs --output-path $archive \
    --enable-experimental-external-link-support $dependencies
  dependencies="$dependencies --dependency $archive"
  archives="$archives $archive"
done

python3 Scripts/documented.py $docs/graphs

# shellcheck disable=SC2086 — paths.
docc merge $archives --synthesized-landing-page-name Wellspring \
  --synthesized-landing-page-kind "Live SQLite for Swift on Linux" \
  --output-path $docs/Wellspring.doccarchive
docc process-archive transform-for-static-hosting $docs/Wellspring.doccarchive \
  --hosting-base-path "$base" --output-path $docs/site
# A module's page is at documentation/module; the root leads to the landing page.
cat >$docs/site/index.html <<PAGE
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Wellspring</title>
<meta http-equiv="refresh" content="0; url=documentation/">
<a href="documentation/">Wellspring</a>
</html>
PAGE
# The pages ask for it.
echo '{}' >$docs/site/theme-settings.json
echo "The documentation is in $docs/site, to be served under $base: make docs-serve"
