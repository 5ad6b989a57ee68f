// swift-tools-version: 6.3

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
    .executable(name: "wellspring-replicas", targets: ["ReplicasCLI"]),
  ],
  targets: [
    .systemLibrary(
      name: "CWellspringSQLite",
      pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]
    ),
    // Without `pkgConfig`, which warns users of the other products of a missing library. The header
    // says what to install.
    .systemLibrary(name: "CWellspringCurl"),
    .target(name: "WellspringSystem"),
    .target(name: "Storage", dependencies: ["CWellspringSQLite", "WellspringSystem"]),
    .target(name: "Sharing", dependencies: ["Storage", "WellspringSystem"]),
    .target(name: "SharingTestSupport", dependencies: ["Sharing", "Storage"]),
    .target(name: "Recording", dependencies: ["CWellspringSQLite", "Storage"]),
    .target(
      name: "Replication",
      dependencies: ["CWellspringCurl", "Recording", "Storage", "WellspringSystem"]
    ),
    // What the command-line tools share.
    .target(name: "CommandLineSupport"),
    .executableTarget(
      name: "DemoCLI",
      dependencies: ["CommandLineSupport", "Storage", "WellspringSystem"]
    ),
    // A tool of its own, so that the other one needs no libcurl.
    .executableTarget(
      name: "ReplicasCLI",
      dependencies: ["CommandLineSupport", "Replication"]
    ),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "EtcdSupport", "Recording", "Replication", "Sharing", "Storage", "CWellspringSQLite",
      ],
      path: "Benchmarks"
    ),
    // Starts servers of etcd, for tests and benchmarks.
    .target(name: "EtcdSupport", dependencies: ["Replication"], path: "Tests/EtcdSupport"),
    // Checks what nodes have answered and shown against what their files hold.
    .target(name: "HistoryChecker", path: "Tests/Partitions/Checker"),
    // A wall clock that a process of the lab can set.
    .target(name: "CLabClock", path: "Tests/Partitions/Clock"),
    // Replicas in network namespaces that are cut off from each other: see `make soak-partitions`.
    .executableTarget(
      name: "PartitionLab",
      dependencies: [
        "CLabClock", "HistoryChecker", "Replication", "Storage", "WellspringSystem",
      ],
      path: "Tests/Partitions",
      exclude: ["Checker", "Clock"]
    ),
    // What all tests share, and what those of Storage share.
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(
      name: "StorageTestSupport",
      dependencies: ["CWellspringSQLite", "Recording", "Storage", "TestSupport"],
      path: "Tests/StorageTests/Support"
    ),
    .testTarget(
      name: "WellspringSystemTests",
      dependencies: ["TestSupport", "WellspringSystem"]
    ),
    .testTarget(
      name: "SharingTests",
      dependencies: [
        "Sharing", "SharingTestSupport", "Storage", "TestSupport", "WellspringSystem",
      ]
    ),
    .testTarget(
      name: "RecordingTests",
      dependencies: [
        "CWellspringSQLite", "Recording", "Storage", "StorageTestSupport", "TestSupport",
      ]
    ),
    .testTarget(
      name: "ReplicationTests",
      dependencies: [
        "CommandLineSupport", "EtcdSupport", "HistoryChecker", "Recording", "Replication",
        "ReplicasCLI",
        "Sharing", "Storage", "TestSupport", "CWellspringSQLite", "WellspringSystem",
      ]
    ),
    .testTarget(
      name: "DemoCLITests",
      dependencies: [
        "CommandLineSupport", "DemoCLI", "Storage", "TestSupport", "WellspringSystem",
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// The tests of Storage by rooms: each target compiles without the others. The larger a target is,
// the longer the compiler takes for each macro.
let roomsOfStorageTests: KeyValuePairs = [
  "ObservationTests": [
    "Changesets", "Observation/Broker", "Observation/ChangeKinds", "Observation/Changes",
    "Observation/Commits", "Observation/Delivery", "Observation/ForeignCommits",
    "Observation/Pages", "Observation/Simulation", "Observation/Transactions",
    "Observation/ValueObservation",
  ],
  "PatchingTests": ["Observation/Patching"],
  "StorageTests": [
    "Access", "Dump", "Errors", "FullText", "Pool", "Regions", "Rows", "Values",
  ],
  "ConnectionTests": ["Connection"],
  "SchemaTests": ["Schema"],
  "QueryTests": ["Query"],
  "RecordTests": ["Documentation", "Guides", "Parity", "Records"],
  "LabTests": ["Lab"],
]
for (name, rooms) in roomsOfStorageTests {
  let others = roomsOfStorageTests.filter { $0.key != name }.flatMap(\.value)
  package.targets.append(
    .testTarget(
      name: name,
      dependencies: [
        "CWellspringSQLite", "DemoCLI", "Recording", "Storage", "StorageTestSupport", "TestSupport",
        "WellspringSystem",
      ],
      path: "Tests/StorageTests",
      exclude: others + ["Support"],
      sources: rooms
    )
  )
}

// Which tests are compiled: all, or those of some targets, such as `QueryTests,LabTests`.
if let names = Context.environment["WELLSPRING_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}

for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // See Fault.swift.
  if Context.environment["WELLSPRING_FAULTS"] != nil {
    target.swiftSettings?.append(.define("WELLSPRING_FAULTS"))
  }
}

// The fuzzer needs a runtime of its own: see Scripts/fuzz.sh.
if Context.environment["WELLSPRING_FUZZING"] != nil {
  let tool = package.targets.first { $0.name == "DemoCLI" }!
  let libraries = ["CWellspringSQLite", "CommandLineSupport", "WellspringSystem", "Storage"]
  package.products = []
  package.targets.removeAll { !libraries.contains($0.name) }
  package.targets += [
    // The tool as a library.
    .target(
      name: "FuzzedTool",
      dependencies: tool.dependencies,
      path: "Sources/DemoCLI",
      exclude: ["main.swift"],
      swiftSettings: tool.swiftSettings
    ),
    .executableTarget(
      name: "Fuzz",
      dependencies: ["FuzzedTool", "Storage"],
      path: "Fuzzing/Sources",
      swiftSettings: [.unsafeFlags(["-parse-as-library"])]
    ),
  ]
}
