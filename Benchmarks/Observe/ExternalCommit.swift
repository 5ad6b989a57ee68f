internal import Foundation
internal import Storage
internal import Synchronization

/// The time from a commit of another process until an observer has its value.
enum ExternalCommit {
  private static let commitCount = 300
  private static let bound = Duration.milliseconds(5)

  static let benchmarks = [
    Benchmark(
      .observe,
      "Commit in another process, until the callback, 99th percentile of 300 (C: 5 ms)",
      limit: 1,
      enforcedLimit: 4,
      prepare: { try contest(in: $0) }
    ),
    Benchmark(
      .observe,
      "The same beside 200 commits of this process a second (C: 5 ms)",
      limit: 2,
      prepare: { try contest(in: $0, besideOwnCommits: true) }
    ),
  ]

  private static func contest(
    in workspace: Workspace,
    besideOwnCommits: Bool = false
  ) throws -> Contest {
    let observer = try Observer(workspace, besideOwnCommits: besideOwnCommits)
    let ours = Side {
      let durations = try observer.latencies(of: commitCount).sorted()
      return (durations[commitCount * 99 / 100 - 1], 0)
    }
    return Contest(ours: ours, baseline: Side { (bound, 0) })
  }

  /// Prints the times of many commits, one a line, in seconds.
  static func printLatencies(count: Int = 2_000) throws {
    let workspace = try Workspace()
    defer { workspace.remove() }
    for duration in try Observer(workspace).latencies(of: count) {
      print(duration / .seconds(1))
    }
  }

  /// An observation, and a process that writes to its file.
  private final class Observer {
    private let shell: Shell
    private let arrivals = Arrivals()
    private let cancellable: AnyDatabaseCancellable
    private let ownCommits: OwnCommits?
    private var value = 0

    init(_ workspace: Workspace, besideOwnCommits: Bool = false) throws {
      let path = try workspace.makeDatabase("watched") { try $0.execute(Counter.creation) }
      let pool = try DatabasePool(benchmarking: path)
      shell = try Shell(path: path)
      try shell.run("PRAGMA busy_timeout = 5000;")
      let observation = ValueObservation.tracking { db in
        try Int.fetchOne(db, sql: Counter.selection, arguments: [0]) ?? 0
      }
      arrivals.expect(0)
      cancellable = observation.start(
        in: pool,
        onError: { fatalError("The observation failed: \($0)") },
        onChange: { [arrivals] in arrivals.record($0) }
      )
      _ = try arrivals.wait()
      ownCommits = besideOwnCommits ? try OwnCommits(pool) : nil
    }

    /// Measures from the moment at which the other process is asked to write.
    func latencies(of count: Int) throws -> [Duration] {
      try (0..<count).map { _ in
        value += 1
        arrivals.expect(value)
        let start = SuspendingClock.now
        try shell.run("UPDATE counter SET value = value + 1 WHERE id = 0;")
        return try arrivals.wait() - start
      }
    }
  }

  /// Commits of this process to another table, 200 a second, until it is released.
  private final class OwnCommits: Sendable {
    private final class Flag: Sendable { let isSet = Atomic(false) }

    private let isEnding = Flag()
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ pool: DatabasePool) throws {
      try pool.write { try $0.execute(sql: "CREATE TABLE own (value)") }
      Thread.detachNewThread { [isEnding, hasEnded] in
        while !isEnding.isSet.load(ordering: .relaxed) {
          try? pool.write { try $0.execute(sql: "INSERT INTO own VALUES (1)") }
          usleep(5_000)
        }
        hasEnded.signal()
      }
    }

    deinit {
      isEnding.isSet.store(true, ordering: .relaxed)
      hasEnded.wait()
    }
  }

  /// The `sqlite3` program, which runs the SQL sent to it.
  private final class Shell {
    private let process = Process()
    private let input = Pipe()

    init(path: String) throws {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sqlite3", path]
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      try process.run()
    }

    deinit {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    func run(_ sql: String) throws {
      try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n").utf8))
    }
  }
}
