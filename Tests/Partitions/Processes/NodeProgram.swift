import CLabClock
import Foundation
import HistoryChecker
import Replication
import Storage
import WellspringSystem

/// A node of replicas in a process of its own, which tries to write all the time, and notes answers
/// and shown values.
struct NodeProgram: Codable, Sendable {
  /// The first argument of the process.
  static let argument = "node"

  /// The name of the node.
  var node: String
  /// The number of the process, which the ids of its writes begin with.
  var process: Int
  var path: String
  var endpoints: [String]
  /// The file in which the process notes events.
  var history: String
  /// Where the snapshots of the nodes are; `nil` for nodes without.
  var snapshots: String?
  /// The file whose existence ends the writes of all nodes. They catch up before they end then.
  var quiet: String
  /// The file whose existence ends the process, in order.
  var stop: String
  /// How many bytes a write adds beside its id.
  var size = 20
  /// Whether a write also changes rows that count the writes.
  var keepsTally = true
  /// How many writes are made; `nil` for as many as there is time for.
  var limit: Int?
  /// The milliseconds between two writes.
  var pause = 5

  /// The difference between the first ids of two processes.
  static let idsOfProcess = 10_000_000

  static let schema = """
    CREATE TABLE IF NOT EXISTS entry (place INTEGER PRIMARY KEY AUTOINCREMENT, id, content);
    CREATE TABLE IF NOT EXISTS tally (one INTEGER PRIMARY KEY, count, last);
    CREATE TABLE IF NOT EXISTS newest (process INTEGER PRIMARY KEY, id);
    """

  /// Runs the process, which never returns.
  func run() -> Never {
    lab_clock_follow_signals()
    let process = self
    Task.detached {
      do {
        let notes = try NodeNotes(path: process.history)
        do {
          try await process.serve(notes)
          notes.note(.said("closed"))
          exit(0)
        } catch {
          notes.note(.said("failed: \(error)"))
          exit(1)
        }
      } catch {
        exit(2)
      }
    }
    dispatchMain()
  }

  private func serve(_ notes: NodeNotes) async throws {
    let node = try await open(notes)
    notes.note(.said("opened"))
    let writes = Task { await write(node, notes) }
    let observations = Task { await observe(node, notes) }
    let events = Task { for await event in node.events { notes.note(.said("event: \(event)")) } }
    await writes.value
    notes.note(.said("quiet"))
    while !exists(stop) { try await Task.sleep(for: .milliseconds(10)) }
    if exists(quiet) { try await node.waitForLatest(timeout: .seconds(60)) }
    observations.cancel()
    events.cancel()
    try node.close()
  }

  private func open(_ notes: NodeNotes) async throws -> ReplicatedDatabase {
    var options = ReplicationOptions()
    options.address = node
    options.snapshots = snapshots.map { .directory($0) }
    if snapshots != nil {
      options.entriesPerSnapshot = 3_000
      options.keptEntries = 1_000
    }
    while true {
      do {
        let log = try EtcdLog(endpoints: endpoints, database: "lab")
        return try await ReplicatedDatabase(path: path, log: log, options: options)
      } catch {
        notes.note(.said("not opened: \(error)"))
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func write(_ node: ReplicatedDatabase, _ notes: NodeNotes) async {
    var isPrimary = false
    for number in 1... {
      if exists(quiet) || exists(stop) || number > limit ?? .max { return }
      let id = process * Self.idsOfProcess + number
      notes.note(.began(id))
      do {
        _ = try await node.writeReturningToken { db in try write(db, id) }
        notes.note(.acknowledged(id))
        isPrimary = true
      } catch {
        if case ReplicationError.outcomeUnknown = error {
          notes.note(.unknown(id))
        } else {
          notes.note(.refused(id))
        }
        if isPrimary { notes.note(.said("write \(id): \(error)")) }
        isPrimary = false
        try? await Task.sleep(for: .milliseconds(5))
      }
      if pause > 0 { try? await Task.sleep(for: .milliseconds(pause)) }
    }
  }

  private func write(_ db: Database, _ id: Int) throws {
    if try !db.tableExists("entry") { try db.execute(sql: Self.schema) }
    try db.execute(
      sql: "INSERT INTO entry (id, content) VALUES (?, randomblob(?))",
      arguments: [id, size]
    )
    guard keepsTally else { return }
    try db.execute(
      sql: """
        INSERT INTO tally VALUES (1, 1, ?1)
          ON CONFLICT (one) DO UPDATE SET count = count + 1, last = ?1
        """,
      arguments: [id]
    )
    try db.execute(
      sql: "INSERT OR REPLACE INTO newest VALUES (?, ?)",
      arguments: [process, id]
    )
  }

  private func observe(_ node: ReplicatedDatabase, _ notes: NodeNotes) async {
    let sql =
      keepsTally
      ? "SELECT count, last FROM tally" : "SELECT place, id FROM entry ORDER BY place DESC LIMIT 1"
    let observation = ValueObservation.tracking { db -> [Int] in
      guard try db.tableExists("tally") else { return [] }
      return try Row.fetchOne(db, sql: sql)
        .map { row in [row[0], row[1]] } ?? []
    }
    while !Task.isCancelled {
      do {
        for try await value in observation.values(in: node) where value.count == 2 {
          notes.note(.observed(count: value[0], last: value[1]))
        }
      } catch {
        notes.note(.said("observation: \(error)"))
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

/// The file in which a process notes events, each event at once.
final class NodeNotes: Sendable {
  // Guards the order of the lines, so that their times ascend.
  private let descriptor: Lock<Int32>

  init(path: String) throws {
    let file = Foundation.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw LabError.command("\(path) cannot be opened") }
    descriptor = Lock(file)
  }

  func note(_ kind: HistoryEvent.Kind) {
    descriptor.withLock { descriptor in
      var line = HistoryEvent(time: MonotonicClock.now, kind).line + "\n"
      _ = line.withUTF8 { Foundation.write(descriptor, $0.baseAddress, $0.count) }
    }
  }
}
