// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "ReplicatedShop",
  dependencies: [
    // In a package of your own: .package(url: "…/wellspring.git", from: "1.0.0")
    .package(name: "Wellspring", path: "../..")
  ],
  targets: [
    .target(
      name: "ReplicatedShop",
      dependencies: [
        .product(name: "Replication", package: "Wellspring"),
        .product(name: "Sharing", package: "Wellspring"),
      ]
    ),
    .executableTarget(name: "shop", dependencies: ["ReplicatedShop"]),
    .testTarget(name: "ReplicatedShopTests", dependencies: ["ReplicatedShop"]),
  ],
  swiftLanguageModes: [.v6]
)
