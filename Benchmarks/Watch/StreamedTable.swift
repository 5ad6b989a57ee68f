internal import Foundation

/// The cost of `wellspring dump` and `query` for a table of two million rows.
enum StreamedTable {
  static let benchmarks = [
    Benchmark(
      .watch,
      "Dump of two million rows (C: the sqlite3 shell)",
      limit: 3,
      prepare: { workspace in
        let path = try makeTable(in: workspace)
        return Contest(
          ours: side(try ToolRun.tool(), ["dump", path]) { $0.elapsed },
          baseline: side("/usr/bin/sqlite3", [path, ".dump"]) { $0.elapsed }
        )
      }
    ),
    Benchmark(
      .watch,
      "First bytes of two million rows by query and dump, slowest of 6 (C: 100 ms)",
      limit: 1,
      prepare: {
        try contest(in: $0, endsAtFirstBytes: true, \.firstBytes, bound: .milliseconds(100))
      }
    ),
    Benchmark(
      .watch,
      "Memory of query and dump, most of 6, as a millisecond a MB (C: 64 MB)",
      limit: 1,
      prepare: { try contest(in: $0, \.memory, bound: .milliseconds(64)) }
    ),
  ]

  private static func side(
    _ executable: String,
    _ arguments: [String],
    _ measure: @escaping (ToolRun) -> Duration
  ) -> Side {
    Side { (measure(try ToolRun(executable, arguments)), 0) }
  }

  /// The largest measure of all formats, and of the dump.
  private static func contest(
    in workspace: Workspace,
    endsAtFirstBytes: Bool = false,
    _ measure: @escaping (ToolRun) -> Duration,
    bound: Duration
  ) throws -> Contest {
    let path = try makeTable(in: workspace)
    let tool = try ToolRun.tool()
    let query = ["query", path, "SELECT * FROM item"]
    let runs =
      ["table", "json", "ndjson", "csv", "line"].map { query + ["--format", $0] }
      + [["dump", path]]
    // The memory is the same in each round, and the whole output takes long.
    var known: Duration?
    let ours = Side {
      if let known, !endsAtFirstBytes { return (known, 0) }
      let measures = try runs.map { run in
        measure(try ToolRun(tool, run, endsAtFirstBytes: endsAtFirstBytes))
      }
      known = measures.max() ?? .zero
      return (known ?? .zero, 0)
    }
    return Contest(ours: ours, baseline: Side { (bound, 0) })
  }

  private static func makeTable(in workspace: Workspace) throws -> String {
    try workspace.makeDatabase("streamed") { connection in
      try connection.execute(
        """
        CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, note TEXT);
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 2000000)
        INSERT INTO item SELECT n, 'item ' || n, n / 7.0, iif(n % 3, 'a note', NULL) FROM number
        """
      )
    }
  }
}

/// A command that has run to its end or to its first output, and its measured times and memory.
private struct ToolRun {
  /// The time until the first bytes came, and until the end.
  private(set) var firstBytes = Duration.zero
  private(set) var elapsed = Duration.zero
  /// The most memory that was seen, as a millisecond for each MB.
  private(set) var memory = Duration.zero

  /// Returns the path of the command-line tool.
  static func tool() throws -> String { try WatchingTool.executable().path }

  /// Runs a command.
  ///
  /// - Parameters:
  ///   - executable: The path of the command.
  ///   - arguments: Its arguments.
  ///   - endsAtFirstBytes: Whether the output is closed when its first bytes have come.
  /// - Throws: ``Overdue`` when the command fails or writes nothing.
  init(_ executable: String, _ arguments: [String], endsAtFirstBytes: Bool = false) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    let stopwatch = Stopwatch()
    try process.run()
    try pipe.fileHandleForWriting.close()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var reads = 0
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      if reads == 0 { firstBytes = stopwatch.duration }
      // The process may have ended after its last bytes.
      if reads % 256 == 0 {
        memory = max(memory, .milliseconds(Peak.megabytes(of: process.processIdentifier)))
      }
      reads += 1
      if endsAtFirstBytes { break }
    }
    try pipe.fileHandleForReading.close()
    process.waitUntilExit()
    elapsed = stopwatch.duration
    guard process.terminationStatus == 0, reads > 0 else {
      throw Overdue(what: "the output of \(arguments.first ?? executable)")
    }
  }
}
