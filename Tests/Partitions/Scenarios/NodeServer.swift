import CLabClock
import Foundation
import Replication
import Storage
import WellspringSystem

/// A node of replicas in a process of its own, which runs the commands of the lab.
///
/// The commands come over a socket with a path. Namespaces of networks do not divide such sockets.
struct NodeServer: Codable, Sendable {
  /// The first argument of the process.
  static let argument = "serve"

  /// The store of the snapshots.
  enum Store: Codable, Sendable {
    case none
    case directory(String)
    /// Each upload fails at once.
    case refusing
    /// No upload ends.
    case hanging
  }

  /// The name of the node.
  var node: String
  var path: String
  var socket: String
  var endpoints: [String]
  var store = Store.none
  var mayBePrimary = true
  var isSurvivor = false
  /// Whether writes return before the log has them.
  var isLocal = false
  var entriesPerSnapshot: Int?
  /// In milliseconds.
  var storeTimeout: Int?

  /// Runs the process, which never returns.
  func run() -> Never {
    lab_clock_follow_signals()
    let server = self
    Thread.detachNewThread {
      do {
        let service = NodeService(server)
        try service.serve(LineSocket.accepted(at: server.socket))
        exit(0)
      } catch {
        print(error)
        exit(2)
      }
    }
    dispatchMain()
  }
}

/// The state of a ``NodeServer`` while it runs.
private final class NodeService: Sendable {
  private let server: NodeServer
  private let uploads = Lock(0)
  private let opening: Task<(node: ReplicatedDatabase, milliseconds: Double), any Error>

  init(_ server: NodeServer) {
    self.server = server
    let options = Self.options(server, uploads)
    opening = Task.detached {
      let start = MonotonicClock.now
      let node = try await Self.open(server, options)
      return (node, Self.milliseconds(since: start))
    }
  }

  /// Runs the commands of the lab, until the lab is gone.
  func serve(_ lines: LineSocket) throws {
    while let line = try lines.next(until: nil) {
      let numbered = try JSONDecoder().decode(NumberedCommand.self, from: Data(line.utf8))
      Task.detached { [self] in
        var answer = await answer(numbered.command)
        answer.number = numbered.number
        try lines.send(String(decoding: try JSONEncoder().encode(answer), as: UTF8.self))
      }
    }
  }

  private func answer(_ command: NodeCommand) async -> NodeAnswer {
    var answer = NodeAnswer()
    let start = MonotonicClock.now
    do {
      let (node, milliseconds) = try await opening.value
      switch command {
      case .open:
        answer.milliseconds = milliseconds
        return answer
      case .write(let order): answer.writes = await write(order, node)
      case .status: answer.status = status(node)
      case .rows: answer.rows = try await Self.rows(node)
      case .waitForLatest(let limit):
        try await node.waitForLatest(timeout: .milliseconds(limit))
        answer.rows = try await Self.rows(node)
      case .trim: try await node.trimLog()
      case .close: try node.close()
      }
    } catch {
      answer.error = "\(error)"
    }
    answer.milliseconds = Self.milliseconds(since: start)
    return answer
  }

  private static func milliseconds(since start: UInt64) -> Double {
    Double(MonotonicClock.now - start) / 1e6
  }

  // MARK: The node

  private static func open(
    _ server: NodeServer,
    _ options: ReplicationOptions
  ) async throws -> ReplicatedDatabase {
    let log = try EtcdLog(endpoints: server.endpoints, database: "lab")
    if server.isSurvivor {
      return try await ReplicatedDatabase(survivor: server.path, log: log, options: options)
    }
    return try await ReplicatedDatabase(
      path: server.path,
      log: log,
      role: server.mayBePrimary ? .automatic : .replica,
      options: options
    )
  }

  private static func options(_ server: NodeServer, _ uploads: Lock<Int>) -> ReplicationOptions {
    var options = ReplicationOptions()
    options.address = server.node
    if server.isLocal { options.promise = .local }
    if let count = server.entriesPerSnapshot { options.entriesPerSnapshot = count }
    if let limit = server.storeTimeout { options.storeTimeout = .milliseconds(limit) }
    switch server.store {
    case .none: break
    case .directory(let path): options.snapshots = .directory(path)
    case .refusing, .hanging:
      var isHanging = false
      if case .hanging = server.store { isHanging = true }
      options.snapshots = SnapshotStore(
        put: { [isHanging] _, _ in
          uploads.withLock { $0 += 1 }
          if isHanging { try await Task.sleep(for: .seconds(3600)) }
          throw CocoaError(.fileWriteUnknown)
        },
        get: { _, _ in throw CocoaError(.fileNoSuchFile) },
        names: { [] },
        remove: { _ in }
      )
    }
    return options
  }

  private static func rows(_ node: ReplicatedDatabase) async throws -> [Int] {
    try await node.read { db in
      guard try db.tableExists("item") else { return [] }
      return try Int.fetchAll(db, sql: "SELECT id FROM item ORDER BY id")
    }
  }

  private func status(_ node: ReplicatedDatabase) -> NodeStatus {
    let status = node.status
    let (role, reason): (String, ReplicationError?) =
      switch status.role {
      case .primary: ("primary", nil)
      case .replica: ("replica", nil)
      case .needsSnapshot(let error): ("needsSnapshot", error)
      case .stopped(let error): ("stopped", error)
      }
    func seconds(_ duration: Duration?) -> Double? { duration.map { $0 / .seconds(1) } }
    return NodeStatus(
      role: role,
      reason: reason.map { "\($0)" },
      epoch: status.epoch,
      applied: status.applied.sequence,
      isConnected: status.isConnected,
      lag: status.lag,
      outbox: status.outbox,
      lastError: status.lastError,
      isLastErrorOver: status.isLastErrorOver,
      discardedCommits: status.discardedCommits,
      lastContact: seconds(status.lastContact),
      dataAge: seconds(status.dataAge),
      delay: seconds(status.delay),
      snapshotAge: seconds(status.snapshotAge),
      uploads: uploads.withLock { $0 }
    )
  }

  // MARK: Writes

  private func write(_ order: WriteOrder, _ node: ReplicatedDatabase) async -> [WriteResult] {
    let next = Lock(order.first)
    return await withTaskGroup(of: [WriteResult].self) { group in
      for _ in 0..<order.callers {
        group.addTask { await self.write(order, node, next) }
      }
      return await group.reduce(into: []) { $0 += $1 }.sorted { $0.id < $1.id }
    }
  }

  /// Writes the next rows of an order as one caller.
  private func write(
    _ order: WriteOrder,
    _ node: ReplicatedDatabase,
    _ next: Lock<Int>
  ) async -> [WriteResult] {
    var results: [WriteResult] = []
    var errors = 0
    while errors < order.errorLimit {
      let id = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard id < order.first + order.count else { break }
      let result = await write(id, order, node)
      results.append(result)
      errors = result.outcome == .acknowledged ? 0 : errors + 1
      let pause = max(order.pause, errors > 0 ? 20 : 0)
      if pause > 0 { try? await Task.sleep(for: .milliseconds(pause)) }
    }
    return results
  }

  private func write(
    _ id: Int,
    _ order: WriteOrder,
    _ node: ReplicatedDatabase
  ) async -> WriteResult {
    let start = MonotonicClock.now
    var result = WriteResult(id: id, outcome: .acknowledged, milliseconds: 0, end: 0)
    let insert = { @Sendable (db: Database) throws in
      try db.execute(
        sql: "CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, content BLOB)"
      )
      try db.execute(
        sql: "INSERT INTO item VALUES (?, randomblob(?))",
        arguments: [id, order.size]
      )
    }
    do {
      if order.waitsForLog {
        _ = try await node.writeReturningToken(insert)
      } else {
        try await node.write(insert)
      }
    } catch {
      result.error = "\(error)"
      result.outcome =
        switch error {
        case ReplicationError.outcomeUnknown: .unknown
        case ReplicationError.notLogged: .notLogged
        case ReplicationError.discardedCommits: .discarded
        default: .refused
        }
    }
    result.milliseconds = Self.milliseconds(since: start)
    result.end = Double(MonotonicClock.now) / 1e9
    return result
  }
}
