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
      dependencies: [.product(name: "Storage", package: "Wellspring")],
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]
    )
  ],
  swiftLanguageModes: [.v6]
)
