// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Library",
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0")
  ],
  targets: [
    .target(name: "Library", dependencies: [.product(name: "GRDB", package: "GRDB.swift")]),
    .testTarget(
      name: "LibraryTests",
      dependencies: ["Library", .product(name: "GRDB", package: "GRDB.swift")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
