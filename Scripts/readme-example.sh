#!/bin/sh
# Runs the README's Swift example in a package of its own that depends on this one, and compares what
# it prints with what the README says that it prints.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The n-th fenced block of a language.
block() {
  awk -v language="$1" '
    $0 == "```" language { inside = 1; next }
    inside && $0 == "```" { exit }
    inside { print }
  ' "$root/README.md"
}

mkdir -p "$work/Sources/Shop"
block swift >"$work/Sources/Shop/Shop.swift"
block text >"$work/expected"
cat >"$work/Package.swift" <<PACKAGE
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Shop",
  dependencies: [.package(name: "wellspring", path: "$root")],
  targets: [
    .executableTarget(
      name: "Shop",
      dependencies: [.product(name: "Sharing", package: "wellspring")]
    )
  ]
)
PACKAGE

cd "$work"
swift build --quiet
"$(swift build --show-bin-path)/Shop" >"$work/actual"
diff -u "$work/expected" "$work/actual"
echo "The README's example prints what the README says."
