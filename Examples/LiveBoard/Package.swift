// swift-tools-version: 6.3

import PackageDescription

let package = Package(
  name: "LiveBoard",
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
      name: "LiveBoard",
      dependencies: ["CMicroHTTPD", .product(name: "Sharing", package: "Wellspring")],
      resources: [.copy("Page")]
    ),
    .executableTarget(name: "board", dependencies: ["LiveBoard"]),
    .testTarget(name: "LiveBoardTests", dependencies: ["LiveBoard"]),
  ],
  swiftLanguageModes: [.v6]
)
