// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "Reminders",
  dependencies: [
    // In a package of your own: the path of a checkout, or the address of a fork.
    .package(name: "Wellspring", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "Reminders",
      dependencies: [.product(name: "Sharing", package: "Wellspring")]
    ),
    .testTarget(
      name: "RemindersTests",
      dependencies: [
        "Reminders",
        .product(name: "SharingTestSupport", package: "Wellspring"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
