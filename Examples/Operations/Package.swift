// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Operations",
  dependencies: [
    // In a package of your own: the path of a checkout, or the address of a fork.
    .package(name: "Wellspring", path: "../..")
  ],
  targets: [
    .target(
      name: "Operations",
      dependencies: [.product(name: "Storage", package: "Wellspring")]
    ),
    .executableTarget(name: "meter", dependencies: ["Operations"]),
    .testTarget(name: "OperationsTests", dependencies: ["Operations"]),
  ],
  swiftLanguageModes: [.v6]
)
