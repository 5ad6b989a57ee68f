// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Wellspring",
  products: [
    .library(name: "Storage", targets: ["Storage"]),
    .library(name: "Sharing", targets: ["Sharing"]),
    .library(name: "SharingTestSupport", targets: ["SharingTestSupport"]),
    .executable(name: "wellspring", targets: ["DemoCLI"]),
    .executable(name: "DemoCLI", targets: ["DemoCLI"]),
  ],
  targets: [
    .systemLibrary(
      name: "CWellspringSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .target(name: "WellspringPlatform"),
    .target(name: "Storage", dependencies: ["CWellspringSQLite", "WellspringPlatform"]),
    .target(name: "Sharing", dependencies: ["Storage", "WellspringPlatform"]),
    .target(name: "SharingTestSupport", dependencies: ["Sharing", "Storage"]),
    .executableTarget(name: "DemoCLI", dependencies: ["Storage"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["Sharing", "Storage", "CWellspringSQLite"],
      path: "Benchmarks"
    ),
    .testTarget(name: "WellspringPlatformTests", dependencies: ["WellspringPlatform"]),
    .testTarget(
      name: "StorageTests",
      dependencies: ["Storage", "DemoCLI", "CWellspringSQLite", "WellspringPlatform"]
    ),
    .testTarget(
      name: "SharingTests",
      dependencies: ["Sharing", "SharingTestSupport", "Storage", "WellspringPlatform"]
    ),
    .testTarget(name: "DemoCLITests", dependencies: ["DemoCLI", "Storage"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
