import Foundation
import Replication
import Storage
import TestSupport
import WellspringSystem

/// Adds a row to the table `t`. Nothing but its caller keeps it from being added twice.
struct AddNumber: ForwardableWrite {
  var number: Int

  func write(_ db: Database) throws -> Int {
    try db.execute(sql: "CREATE TABLE IF NOT EXISTS t (a)")
    try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
    return number * 10
  }
}

/// Writes a row, and is refused while the table `closed` has rows.
struct AddIfOpen: ForwardableWrite {
  struct IsClosed: Error, CustomStringConvertible {
    var description: String { "the shop is closed" }
  }

  func write(_ db: Database) throws -> Bool {
    try db.execute(sql: "INSERT INTO t VALUES (1)")
    if try Int.fetchOne(db, sql: "SELECT count(*) FROM closed") != 0 { throw IsClosed() }
    return true
  }
}

/// Runs SQL.
struct RunSQL: ForwardableWrite {
  static let name = "sql"
  var sql: String

  func write(_ db: Database) throws -> Int {
    try db.execute(sql: sql)
    return db.totalChangesCount
  }
}

/// The way between the nodes of a test.
final class ForwardingNetwork: Sendable {
  struct Unreachable: Error {}

  static let types: [any ForwardableWrite.Type] = [AddNumber.self, AddIfOpen.self, RunSQL.self]

  private struct State {
    var receivers: [String: WriteReceiver] = [:]
    var requests: [[UInt8]] = []
  }

  // Guards the receivers by the addresses of their nodes, and the sent requests.
  private let state = Lock(State())

  /// Connects a node, or another node with its address.
  func connect(_ node: ReplicatedDatabase, at address: String) {
    let receiver = WriteReceiver(node, accepting: Self.types)
    state.withLock { $0.receivers[address] = receiver }
  }

  /// The requests that have been sent.
  var requests: [[UInt8]] { state.withLock { $0.requests } }

  /// Hands a request to a node, and its answer back.
  func send(_ address: String, _ request: [UInt8]) async throws -> [UInt8] {
    let receiver = state.withLock { state in
      state.requests.append(request)
      return state.receivers[address]
    }
    guard let receiver else { throw Unreachable() }
    return await receiver.answer(request)
  }

  /// Makes a forwarder without faults.
  func forwarder(_ node: ReplicatedDatabase) -> WriteForwarder {
    WriteForwarder(node, attemptTimeout: Patience.limit) { try await self.send($0, $1) }
  }
}

extension ReplicatedDatabase {
  /// The rows that ``AddNumber`` has added.
  func numbers() async throws -> [Int] {
    try await read { db in
      guard try db.tableExists("t") else { return [] }
      return try Int.fetchAll(db, sql: "SELECT a FROM t ORDER BY a")
    }
  }

  /// How many writes are in the table of ids.
  func storedWrites() async throws -> Int {
    try await read { db in
      guard try db.tableExists("wellspring_writes") else { return 0 }
      return try Int.fetchOne(db, sql: "SELECT count(*) FROM wellspring_writes WHERE number > 0")!
    }
  }
}
