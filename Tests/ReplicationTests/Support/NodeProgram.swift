import Foundation
import Replication
import Storage
import Testing
import WellspringSystem

/// A node in a process of its own, which writes all the time when it is the primary.
///
/// The process is this program of tests, which runs one "test" only. It notes in a file the
/// acknowledged rows, and when it lost its primacy.
struct NodeProgram: Codable, Sendable {
  static let variable = "WELLSPRING_NODE_PROGRAM"

  var name: String
  var path: String
  var endpoints: [String]
  var database: String
  /// The number of the first row that it writes.
  var firstNumber: Int
  /// The path of its notes.
  var notes: String
  /// The file whose existence ends it.
  var stop: String
  var snapshots: String
  /// Whether commits are in the file before they are in the log.
  var isLocal: Bool
  /// How many tasks write at the same time, and without a pause if there are several.
  var writers: Int
  var parent: Int32

  /// A line of the notes.
  enum Note: Hashable {
    /// A row was acknowledged.
    case acknowledged(number: Int, epoch: Int64, sequence: Int64)
    /// A write has thrown after an acknowledged write.
    case refused(String)

    init?(_ line: Substring) {
      let words = line.split(separator: " ", maxSplits: 3)
      switch words.first {
      case "acknowledged" where words.count == 4:
        guard let number = Int(words[1]), let epoch = Int64(words[2]),
          let sequence = Int64(words[3])
        else { return nil }
        self = .acknowledged(number: number, epoch: epoch, sequence: sequence)
      case "refused": self = .refused(line.dropFirst(8).description)
      default: return nil
      }
    }
  }

  /// The options of a node, in this process or in one of its own.
  func options() -> ReplicationOptions {
    var options = ReplicationOptions()
    options.address = name
    options.promise = isLocal ? .local : .logged
    options.heartbeatInterval = .milliseconds(100)
    options.electionTimeout = .milliseconds(700)
    options.snapshots = crashes.store(.directory(snapshots))
    // Writers that write at the same time share entries.
    options.entriesPerSnapshot = writers > 1 ? 60 : 300
    options.keptEntries = options.entriesPerSnapshot / 3
    return options
  }

  /// The steps of a snapshot at which the process may have to end.
  var crashes: SnapshotCrashes { SnapshotCrashes(name: name, database: path, directory: snapshots) }

  func log() throws -> GateLog {
    let log = try EtcdLog(
      endpoints: endpoints,
      database: database,
      timeouts: EtcdTimeouts(attempt: .milliseconds(500), call: .seconds(3))
    )
    return GateLog(log) { [crashes] in crashes.reach(.afterTrim) }
  }

  /// Opens the node.
  func open() async throws -> ReplicatedDatabase {
    try await ReplicatedDatabase(
      path: path,
      log: try log(),
      options: options()
    )
  }

  /// Writes until the end is asked for.
  func run() async throws {
    let file = Lock(try FileHandle(forWritingTo: URL(fileURLWithPath: notes)))
    _ = try file.withLock { try $0.seekToEnd() }
    @Sendable func note(_ line: String) throws {
      try file.withLock { try $0.write(contentsOf: Data("\(line)\n".utf8)) }
    }
    var open: ReplicatedDatabase?
    while open == nil, !isOver {
      do {
        open = try await self.open()
      } catch {
        try note("not opened: \(error)")
        try await Task.sleep(for: .milliseconds(100))
      }
    }
    guard let node = open else { return }
    try await withThrowingTaskGroup { group in
      for writer in 0..<writers {
        group.addTask {
          try await write(node, from: firstNumber + writer * 100_000) { line in try note(line) }
        }
      }
      try await group.waitForAll()
    }
    try node.close()
  }

  private func write(
    _ node: ReplicatedDatabase,
    from firstNumber: Int,
    note: (String) throws -> Void
  ) async throws {
    var number = firstNumber
    var hasWritten = false
    while !isOver {
      number += 1
      do {
        let token = try await node.writeReturningToken { [name, number, writers] db in
          try db.execute(
            sql: """
              CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY AUTOINCREMENT, node, number);
              CREATE TABLE IF NOT EXISTS u (key TEXT PRIMARY KEY, number) WITHOUT ROWID;
              """
          )
          try db.execute(
            sql: "INSERT INTO t (node, number) VALUES (?, ?)",
            arguments: [name, number]
          )
          try db.execute(
            sql: "INSERT OR REPLACE INTO u VALUES (?, ?)",
            arguments: ["\(name)\(number % 5)", number]
          )
          if writers > 1, number == firstNumber + 1 {
            // Its snapshots are not made and taken in a moment.
            try db.execute(
              sql: """
                CREATE TABLE IF NOT EXISTS ballast (content);
                INSERT INTO ballast SELECT randomblob(20000) FROM pragma_function_list
                  WHERE NOT EXISTS (SELECT 1 FROM ballast) LIMIT 50;
                """
            )
          }
          if number % 4 == 0 {
            try db.execute(sql: "DELETE FROM u WHERE number < ?", arguments: [number - 3])
          }
        }.token
        try note("acknowledged \(number) \(token.epoch) \(token.sequence)")
        hasWritten = true
      } catch {
        if hasWritten { try note("refused \(error)") }
        hasWritten = false
        try await Task.sleep(for: .milliseconds(10))
      }
      if writers == 1 { try await Task.sleep(for: .milliseconds(4)) }
    }
  }

  private var isOver: Bool {
    FileManager.default.fileExists(atPath: stop) || getppid() != parent
  }
}

/// The program of a process of ``NodeProgram``. It is not a test.
@Suite(.enabled(if: ProcessInfo.processInfo.environment[NodeProgram.variable] != nil))
struct NodeProgramMain {
  @Test func `a node in a process of its own`() async throws {
    let text = try #require(ProcessInfo.processInfo.environment[NodeProgram.variable])
    try await JSONDecoder().decode(NodeProgram.self, from: Data(text.utf8)).run()
  }
}
