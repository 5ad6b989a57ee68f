import Foundation
import Replication
import Storage
import Testing
import TestSupport

/// How a node treats a log that answers wrongly: the node continues correctly, or stops with a
/// named error, and never has a wrong row.
@Suite(.patient) struct FaultyLogTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  /// A fault of one entry, which stays or is over at the second reading.
  enum Fault: CaseIterable, Sendable {
    case lost
    case doubled
    case reordered
    case cut
    case flippedBit

    var reading: LogFaults.Reading {
      switch self {
      case .lost: .lost
      case .doubled: .doubled
      case .reordered: .reordered
      case .cut: .cut(count: 40)
      case .flippedBit: .flippedBit(1000)
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `an entry that comes wrongly is no wrong row`(fault: Fault) async throws {
    var options = TestNodes.options("one")
    options.heartbeatInterval = .seconds(60)
    let one = try await nodes.open("one", options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 1...10 {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
    }
    let log = MemoryLog(sharing: nodes.log)
    log.faults.reading[LogPosition(7)] = fault.reading
    let two = try await nodes.open("two", role: .replica, log: log)
    let status = try await two.waitForStatus("the end of the entries") { status in
      if case .stopped = status.role { return true }
      return status.applied.sequence >= 13
    }
    let rows = try await two.read { db in
      try db.tableExists("t") ? try Int.fetchAll(db, sql: "SELECT a FROM t") : []
    }
    switch (fault, status.role) {
    case (.doubled, .replica): #expect(rows == Array(1...10))
    case (.lost, .stopped(let error)), (.reordered, .stopped(let error)):
      #expect(error == .logLost(from: LogPosition(7)))
      #expect(rows == [1, 2, 3])
    case (.cut, .stopped(.history(.damaged))), (.flippedBit, .stopped(.history(.damaged))):
      #expect(rows == [1, 2, 3])
    default: Issue.record("\(fault) ended in \(status.role)")
    }
    try two.close()
    // Without the fault, the node continues where it has stopped.
    let again = try await nodes.open("two", role: .replica)
    try await again.catchUp(with: one)
    try expectEqual(one, again)
    try again.close()
    try one.close()
  }

  @Test(arguments: [
    LogFaults.Appending.answerLost, .requestLost, .late, .forgotten,
    .otherAnswer(.appended(LogPosition(999))), .otherAnswer(.conflict(tail: LogPosition(2))),
  ])
  func `an append that is answered wrongly ends in one history`(
    fault: LogFaults.Appending
  ) async throws {
    let log = MemoryLog(sharing: nodes.log)
    let one = try await nodes.open("one", log: log)
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    log.faults.appending = [fault]
    var acknowledged: [Int] = []
    var unknown: [Int] = []
    for number in 1...6 {
      do {
        try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number]) }
        acknowledged.append(number)
      } catch ReplicationError.outcomeUnknown {
        unknown.append(number)
      } catch ReplicationError.notPrimary {
        // Nothing was written, unless the log has lied.
        unknown.append(number)
      }
      let status = try await one.waitForStatus("the next state") { $0.role != .replica }
      if case .stopped = status.role { break }
    }
    guard case .stopped(let error) = one.status.role else {
      try await two.catchUp(with: one)
      try expectEqual(one, two)
      let rows = try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") }
      #expect(Set(acknowledged).isSubset(of: rows))
      #expect(Set(rows).isSubset(of: acknowledged + unknown))
      #expect(rows == rows.sorted())
      #expect(Set(rows).count == rows.count)
      try one.close()
      try two.close()
      return
    }
    // A log that acknowledges an entry without storing it breaks its promise: only this may stop a
    // node.
    #expect(fault == .forgotten)
    if case .logLost = error {} else { Issue.record("stopped with \(error)") }
    try one.close()
    try two.close()
  }
}
