internal import CWellspringSQLite
internal import Foundation
internal import Storage

/// The cost of `wellspring watch`, and the time until it draws, while another process writes 1,000
/// times a second to a table of a million rows.
enum WatchedTable {
  private static let rowCount = 1_000_000
  private static let writesPerSecond = 1_000
  /// The number of writes of a round: two seconds.
  private static let writeCount = 2_000
  /// Each write with such a number changes a row on the screen.
  private static let shownEach = 100

  static let benchmarks = [
    Benchmark(
      .watch,
      "Processor time of the tool, a million rows, 1,000 writes a second (C: 10 % of a core)",
      limit: 1,
      prepare: {
        try contest(in: $0) {
          $0.processorTime
        } bound: {
          $0 / 10
        }
      }
    ),
    Benchmark(
      .watch,
      "Commit of a row on the screen, until it is drawn, slowest of 20 (C: 100 ms)",
      limit: 1,
      prepare: {
        try contest(in: $0) {
          $0.slowest
        } bound: { _ in
          .milliseconds(100)
        }
      }
    ),
    Benchmark(
      .watch,
      "Key for the other end of the table, until it is drawn, slowest of 20 (C: 100 ms)",
      limit: 1,
      prepare: {
        try contest(in: $0, pressesKeys: true) {
          $0.slowest
        } bound: { _ in
          .milliseconds(100)
        }
      }
    ),
    Benchmark(
      .watch,
      "Memory of the tool, as a millisecond a MB (C: 100 MB)",
      limit: 1,
      prepare: {
        try contest(in: $0) {
          .milliseconds($0.megabytes)
        } bound: { _ in
          .milliseconds(100)
        }
      }
    ),
    changes("watch --changes") { ["watch", $0, "item", "--changes"] },
    changes("exec") { ["exec", $0, "item", "--on-change", "cat"] },
  ]

  private static func changes(
    _ command: String,
    _ arguments: @escaping @Sendable (_ path: String) -> [String]
  ) -> Benchmark {
    Benchmark(
      .watch,
      "Row of a million by \(command), processor time of a commit (C: the table is read)",
      limit: 0.5,
      prepare: { try changesContest(in: $0, arguments) }
    )
  }

  /// The figures of one round.
  private struct Round {
    var processorTime = Duration.zero
    var slowest = Duration.zero
    var elapsed = Duration.zero
    var megabytes = 0
  }

  private static func contest(
    in workspace: Workspace,
    pressesKeys: Bool = false,
    measure: @escaping (Round) -> Duration,
    bound: @escaping (Duration) -> Duration
  ) throws -> Contest {
    let path = try makeTable(in: workspace)
    let pool = try DatabasePool(benchmarking: path)
    let tool = try WatchingTool(arguments: ["watch", path, "item"])
    var marker = 0
    var elapsed = Duration.seconds(2)
    let ours = Side {
      let round = try run(pool, tool, pressesKeys: pressesKeys, marker: &marker)
      elapsed = round.elapsed
      return (measure(round), 0)
    }
    return Contest(ours: ours, baseline: Side { (bound(elapsed), 0) })
  }

  private static func makeTable(in workspace: Workspace) throws -> String {
    try workspace.makeDatabase("watched") { connection in
      try connection.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value INTEGER NOT NULL);
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < \(rowCount))
        INSERT INTO item SELECT n, 'item ' || n, n FROM number
        """
      )
    }
  }

  /// A tool that writes each change, while this process commits.
  private static func changesContest(
    in workspace: Workspace,
    _ arguments: (_ path: String) -> [String]
  ) throws -> Contest {
    let path = try makeTable(in: workspace)
    let connection = try RawConnection(path: path)
    let tool = try WatchingTool(arguments: arguments(path))
    try tool.waitUntilIdle()
    var marker = 0
    let ours = Side {
      let start = tool.processorTime
      for _ in 0..<20 {
        marker += 1
        tool.expect("marker \(marker)!")
        try connection.execute(
          "UPDATE item SET name = 'marker \(marker)!' WHERE id = \(marker * 7919 % rowCount)"
        )
        _ = try tool.wait()
      }
      try tool.waitUntilIdle()
      return ((tool.processorTime - start) / 20, 0)
    }
    let statement = try connection.prepare("SELECT id, name, value FROM item")
    let baseline = Side {
      let start = Duration.processorTime
      var length = 0
      while sqlite3_step(statement) == SQLITE_ROW {
        length += rawText(statement, 1).utf8.count + Int(sqlite3_column_int64(statement, 2))
      }
      sqlite3_reset(statement)
      return (.processorTime - start, length == 0 ? 1 : 0)
    }
    return Contest(ours: ours, baseline: baseline)
  }

  private static func run(
    _ pool: DatabasePool,
    _ tool: WatchingTool,
    pressesKeys: Bool,
    marker: inout Int
  ) throws -> Round {
    var round = Round()
    let start = SuspendingClock.now
    let processorTime = tool.processorTime
    for number in 0..<writeCount {
      let due = start + .seconds(number) / writesPerSecond
      if SuspendingClock.now < due { try waitUntil(due) }
      let isShown = number % shownEach == 0 && !pressesKeys
      let name = isShown ? "marker \(marker)!" : "item"
      if isShown { tool.expect(name) }
      if pressesKeys, number % shownEach == 0 {
        let isAtEnd = number / shownEach % 2 == 1
        // Only there is a note of rows above, or the second row.
        tool.expect(isAtEnd ? "item 2 " : "more rows above")
        let press = SuspendingClock.now
        tool.press(isAtEnd ? "g" : "G")
        round.slowest = max(round.slowest, try tool.wait() - press)
      }
      let begin = SuspendingClock.now
      try pool.write { db in
        try db.execute(
          sql: "UPDATE item SET name = ?, value = value + 1 WHERE id = ?",
          arguments: [name, isShown ? 1 : Int.random(in: 100...rowCount)]
        )
      }
      guard isShown else { continue }
      marker += 1
      round.slowest = max(round.slowest, try tool.wait() - begin)
    }
    round.elapsed = SuspendingClock.now - start
    round.processorTime = tool.processorTime - processorTime
    round.megabytes = tool.megabytes
    return round
  }

  private static func waitUntil(_ due: SuspendingClock.Instant) throws {
    let left = due - SuspendingClock.now
    usleep(UInt32(max(0, left / .microseconds(1))))
  }
}
