import Foundation
import Replication
import Storage
import Testing
import TestSupport
import WellspringSystem

/// The work of an operator when no node can continue: one file continues the history.
@Suite(.patient) struct SurvivorTests {
  let nodes: TestNodes

  init() throws { nodes = try TestNodes() }

  private func options(_ name: String) -> ReplicationOptions {
    var options = TestNodes.options(name)
    options.heartbeatInterval = .seconds(60)
    options.snapshots = .directory(nodes.directory.appendingPathComponent("snapshots").path)
    return options
  }

  private func open(
    _ name: String,
    role: ReplicationRole = .automatic
  ) async throws -> ReplicatedDatabase {
    try await nodes.open(name, role: role, options: options(name))
  }

  private func openSurvivor(
    _ name: String,
    log: MemoryLog? = nil
  ) async throws -> ReplicatedDatabase {
    try await ReplicatedDatabase(
      survivor: nodes.path(name),
      log: log ?? MemoryLog(sharing: nodes.log),
      options: options(name)
    )
  }

  private static func insert(_ number: Int, _ node: ReplicatedDatabase) async throws {
    try await node.write { db in
      try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
    }
  }

  private func rows(_ node: ReplicatedDatabase) async throws -> [Int] {
    try await node.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
  }

  @Test func `after a log has lost entries, the history continues with the chosen file`()
    async throws
  {
    let one = try await open("one")
    let two = try await open("two", role: .replica)
    let behind = try await open("behind", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await Self.insert(1, one)
    try await behind.catchUp(with: one)
    try behind.close()
    try await Self.insert(2, one)
    try await two.catchUp(with: one)
    try two.close()
    let token = try await one.writeReturningToken { db in
      try db.execute(sql: "INSERT INTO t VALUES (3)")
    }.token
    try one.close()
    nodes.log.loseEntries(after: LogPosition(token.sequence - 2))
    let lost = try await open("one")
    _ = try await lost.waitForStatus("the loss") { status in
      if case .stopped(.logLost) = status.role { true } else { false }
    }
    try lost.close()
    let survivor = try await openSurvivor("two")
    #expect(survivor.status.role == .primary)
    try await Self.insert(4, survivor)
    #expect(try await rows(survivor) == [1, 2, 4])
    // One file has entries that the log has lost, one file is behind the loss, and one file is
    // empty.
    let others = [
      try await open("one", role: .replica), try await open("behind", role: .replica),
      try await open("new", role: .replica),
    ]
    for node in others { try await node.catchUp(with: survivor) }
    try expectEqual([survivor] + others)
    // A copy keeps the row that only one file had.
    let names = try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
    let copy = try #require(names.first { $0.hasPrefix("one.sqlite-discarded-") })
    let kept = try DatabaseQueue(path: nodes.directory.appendingPathComponent(copy).path)
    #expect(try await kept.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2, 3])
    try kept.close()
    await #expect(throws: ReplicationError.discardedToken(token)) {
      try await others[1].wait(until: token, timeout: Patience.limit)
    }
    for node in [survivor] + others { try node.close() }
  }

  @Test func `after a log has lost everything, the history continues in an empty log`()
    async throws
  {
    let one = try await open("one")
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await Self.insert(1, one)
    try one.close()
    let log = MemoryLog()
    let survivor = try await openSurvivor("one", log: MemoryLog(sharing: log))
    try await Self.insert(2, survivor)
    let two = try await nodes.open(
      "two",
      role: .replica,
      log: MemoryLog(sharing: log),
      options: options("two")
    )
    try await two.catchUp(with: survivor)
    #expect(try await rows(two) == [1, 2])
    try expectEqual(survivor, two)
    try survivor.close()
    try two.close()
  }

  @Test func `a primary killed before the COMMIT of what cannot be repeated: an operator chooses`()
    async throws
  {
    let log = GateLog(MemoryLog(sharing: nodes.log))
    let one = try await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: options("one")
    )
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
    }
    let (path, crash) = (nodes.path("one"), nodes.path("crash"))
    log.afterNextAppend { CrashPointTests.copy(path, to: crash) }
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    // Its snapshot was not made either.
    try one.close()
    try? FileManager.default.removeItem(atPath: "\(nodes.directory.path)/snapshots")
    let crashed = try await open("crash")
    _ = try await crashed.waitForStatus("the need of a snapshot") { $0.lastError != nil }
    await #expect(throws: ReplicationError.self) { try await Self.insert(3, crashed) }
    try crashed.close()
    let survivor = try await openSurvivor("crash")
    try await Self.insert(3, survivor)
    let two = try await open("two", role: .replica)
    try await two.catchUp(with: survivor)
    #expect(try await rows(two) == [1, 2, 3])
    try expectEqual(survivor, two)
    try survivor.close()
    try two.close()
  }

  @Test func `a survivor ends the primacy of another node, and there is one history`() async throws
  {
    let one = try await open("one")
    let two = try await open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await Self.insert(1, one)
    try await two.catchUp(with: one)
    try two.close()
    let survivor = try await openSurvivor("two")
    await #expect(throws: ReplicationError.self) { try await Self.insert(2, one) }
    try await Self.insert(3, survivor)
    try await one.catchUp(with: survivor)
    #expect(try await rows(one) == [1, 3])
    try expectEqual(one, survivor)
    try one.close()
    try survivor.close()
  }

  /// The content of the table in the copy that lies beside a file.
  private func rowsOfCopy(_ prefix: String) async throws -> [Int] {
    let names = try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
    let copies = names.filter { $0.hasPrefix(prefix) }
    #expect(copies.count == 1)
    let path = nodes.directory.appendingPathComponent(try #require(copies.first)).path
    let copy = try DatabaseQueue(path: path)
    defer { try? copy.close() }
    return try await copy.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY a") }
  }

  /// Options with a store that has nothing, and calls a closure when it is asked.
  private func optionsWithoutSnapshots(
    _ name: String,
    asked: @escaping @Sendable () -> Void
  ) -> ReplicationOptions {
    var options = options(name)
    options.snapshots = SnapshotStore(
      put: { _, _ in throw CocoaError(.fileWriteUnknown) },
      get: { _, _ in throw CocoaError(.fileWriteUnknown) },
      names: {
        asked()
        return []
      },
      remove: { _ in }
    )
    return options
  }

  /// Restores the log to its state when `two` was closed, lets `two` write a 77 as the primary, and
  /// returns `two`. The file of `one` has more entries.
  private func writeAfterRestoring(
    _ options: ReplicationOptions
  ) async throws -> ReplicatedDatabase {
    let one = try await open("one")
    let two = try await nodes.open("two", role: .replica, options: options)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let kept = two.lastToken
    try two.close()
    for number in 1...3 { try await Self.insert(number, one) }
    try one.close()
    nodes.log.loseEntries(after: LogPosition(kept.sequence))
    let again = try await nodes.open("two", options: options)
    try await again.waitForPrimacy()
    try await Self.insert(77, again)
    return again
  }

  @Test func `a node that wrote to a restored log keeps a copy when a survivor continues`()
    async throws
  {
    let two = try await writeAfterRestoring(options("two"))
    let survivor = try await openSurvivor("one")
    await #expect(throws: ReplicationError.self) { try await Self.insert(78, two) }
    try await Self.insert(4, survivor)
    try await two.catchUp(with: survivor)
    #expect(try await rows(two) == [1, 2, 3, 4])
    #expect(try await rowsOfCopy("two.sqlite-discarded-") == [77])
    try survivor.close()
    try two.close()
  }

  @Test func `the copy is kept although the node ends before a snapshot comes`() async throws {
    let isAsked = Lock(false)
    let options = optionsWithoutSnapshots("two") { isAsked.withLock { $0 = true } }
    let two = try await writeAfterRestoring(options)
    let survivor = try await openSurvivor("one")
    isAsked.withLock { $0 = false }
    await #expect(throws: ReplicationError.self) { try await Self.insert(78, two) }
    try await Self.insert(4, survivor)
    try await eventually { isAsked.withLock { $0 } }
    try two.close()
    let again = try await open("two", role: .replica)
    try await again.catchUp(with: survivor)
    #expect(try await rows(again) == [1, 2, 3, 4])
    #expect(try await rowsOfCopy("two.sqlite-discarded-") == [77])
    try survivor.close()
    try again.close()
  }

  @Test func `what another process has written is kept although the node ends`() async throws {
    let isAsked = Lock(false)
    let one = try await open("one")
    let two = try await nodes.open(
      "two",
      role: .replica,
      options: optionsWithoutSnapshots("two") { isAsked.withLock { $0 = true } }
    )
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let other = try DatabaseQueue(path: two.path)
    try await other.write { try $0.execute(sql: "INSERT INTO t VALUES (55)") }
    try other.close()
    try await Self.insert(1, one)
    try await eventually { isAsked.withLock { $0 } }
    try two.close()
    let again = try await open("two", role: .replica)
    try await again.catchUp(with: one)
    #expect(try await rows(again) == [1])
    #expect(try await rowsOfCopy("two.sqlite-foreign-") == [55])
    try one.close()
    try again.close()
  }

  @Test func `a file without a history, or without a place for snapshots, is no survivor`()
    async throws
  {
    await #expect(throws: ReplicationError.notReplicated) { _ = try await openSurvivor("new") }
    await #expect(throws: ReplicationError.snapshotNeeded(after: .start)) {
      _ = try await ReplicatedDatabase(
        survivor: nodes.path("new"),
        log: MemoryLog(),
        options: ReplicationOptions()
      )
    }
  }
}
