// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "JobQueue",
  dependencies: [
    // In a package of your own: the path of a checkout, or the address of a fork.
    .package(name: "Wellspring", path: "../..")
  ],
  targets: [
    .target(
      name: "JobQueue",
      dependencies: [.product(name: "Sharing", package: "Wellspring")]
    ),
    .executableTarget(name: "jobs", dependencies: ["JobQueue"]),
    .testTarget(
      name: "JobQueueTests",
      dependencies: [
        "JobQueue",
        .product(name: "SharingTestSupport", package: "Wellspring"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
