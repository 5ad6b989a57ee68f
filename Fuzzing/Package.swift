// swift-tools-version: 6.1

import PackageDescription

// A package of its own: its only program needs the runtime of the fuzzer, which Scripts/fuzz.sh
// asks for.
let package = Package(
  name: "Fuzzing",
  dependencies: [.package(name: "Wellspring", path: "..")],
  targets: [
    .executableTarget(
      name: "Fuzz",
      dependencies: ["FuzzedTool", .product(name: "Storage", package: "Wellspring")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]
    ),
    // The tool itself, whose parts are no products. `Tool` is a link to its folder.
    .target(
      name: "FuzzedTool",
      dependencies: [.product(name: "Storage", package: "Wellspring")],
      path: "Tool",
      exclude: ["main.swift"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .define("FUZZING"),
        .unsafeFlags(["-enable-testing"]),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
