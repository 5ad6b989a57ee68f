// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "ReplicatedShop",
  dependencies: [
    // In a package of your own: the path of a checkout, or the address of a fork.
    .package(name: "Wellspring", path: "../..")
  ],
  targets: [
    .systemLibrary(
      name: "CMicroHTTPD",
      pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"])]
    ),
    .target(
      name: "ReplicatedShop",
      dependencies: [
        "CMicroHTTPD",
        .product(name: "Replication", package: "Wellspring"),
        .product(name: "Sharing", package: "Wellspring"),
      ]
    ),
    .executableTarget(name: "shop", dependencies: ["ReplicatedShop"]),
    .testTarget(name: "ReplicatedShopTests", dependencies: ["ReplicatedShop"]),
  ],
  swiftLanguageModes: [.v6]
)
