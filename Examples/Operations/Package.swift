// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Operations",
  dependencies: [
    // In a package of your own: .package(url: "…/wellspring.git", from: "1.0.0")
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
