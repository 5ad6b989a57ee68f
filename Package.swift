// swift-tools-version: 6.1

import PackageDescription

let package = Package(
  name: "Wellspring",
  products: [
    .library(name: "Storage", targets: ["Storage"]),
    .library(name: "Sharing", targets: ["Sharing"]),
    .library(name: "SharingTestSupport", targets: ["SharingTestSupport"]),
    .library(name: "Replication", targets: ["Replication"]),
    .executable(name: "wellspring", targets: ["DemoCLI"]),
    .executable(name: "DemoCLI", targets: ["DemoCLI"]),
  ],
  targets: [
    .systemLibrary(
      name: "CWellspringSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    .systemLibrary(
      name: "CWellspringCurl",
      pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"])]
    ),
    .target(name: "WellspringPlatform"),
    .target(name: "Storage", dependencies: ["CWellspringSQLite", "WellspringPlatform"]),
    .target(name: "Sharing", dependencies: ["Storage", "WellspringPlatform"]),
    .target(name: "SharingTestSupport", dependencies: ["Sharing", "Storage"]),
    .target(
      name: "Replication",
      dependencies: ["CWellspringCurl", "Storage", "WellspringPlatform"]
    ),
    .executableTarget(name: "DemoCLI", dependencies: ["Storage"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: ["EtcdSupport", "Replication", "Sharing", "Storage", "CWellspringSQLite"],
      path: "Benchmarks"
    ),
    // Starts servers of etcd, for tests and benchmarks.
    .target(name: "EtcdSupport", dependencies: ["Replication"], path: "Tests/EtcdSupport"),
    .testTarget(name: "WellspringPlatformTests", dependencies: ["WellspringPlatform"]),
    .testTarget(
      name: "StorageTests",
      dependencies: ["Storage", "DemoCLI", "CWellspringSQLite", "WellspringPlatform"]
    ),
    .testTarget(
      name: "SharingTests",
      dependencies: ["Sharing", "SharingTestSupport", "Storage", "WellspringPlatform"]
    ),
    .testTarget(
      name: "ReplicationTests",
      dependencies: [
        "EtcdSupport", "Replication", "Sharing", "Storage", "CWellspringSQLite",
        "WellspringPlatform",
      ]
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
