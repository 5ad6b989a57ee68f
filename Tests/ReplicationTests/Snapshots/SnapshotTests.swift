import Foundation
import Replication
import Storage
import Testing
import TestSupport

@Suite(.patient) struct SnapshotTests {
  let nodes: TestNodes
  let directory: String

  init() throws {
    nodes = try TestNodes()
    directory = nodes.directory.appendingPathComponent("snapshots").path
  }

  private func options(_ name: String, every entries: Int = 10) -> ReplicationOptions {
    var options = TestNodes.options(name)
    options.snapshots = .directory(directory)
    options.entriesPerSnapshot = entries
    options.keptEntries = 5
    return options
  }

  private func open(
    _ name: String,
    role: ReplicationRole = .automatic,
    every entries: Int = 10
  ) async throws -> ReplicatedDatabase {
    try await nodes.open(name, role: role, options: options(name, every: entries))
  }

  private func insert(_ numbers: ClosedRange<Int>, _ node: ReplicatedDatabase) async throws {
    for number in numbers {
      try await node.write { db in
        try db.execute(sql: "INSERT INTO t (a) VALUES (?)", arguments: [number])
      }
    }
  }

  /// Waits until a node has made a snapshot that contains an entry, and has trimmed the log as far
  /// as it may then.
  private func waitForTrimmedLog(
    below sequence: Int64,
    _ node: ReplicatedDatabase
  ) async throws -> ReplicationStatus {
    // A snapshot is in the status before the log is trimmed, and the size of the log afterwards.
    let log = nodes.log
    return try await node.waitForStatus("a trimmed log") { status in
      guard (status.snapshot?.sequence ?? 0) > sequence else { return false }
      return (try? log.first()).flatMap { $0 }.map { $0.sequence > sequence - 6 } ?? false
    }
  }

  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)"

  @Test func `the log is trimmed below a snapshot, and nodes that are behind take it`()
    async throws
  {
    let one = try await open("one")
    let two = try await open("two", role: .replica)
    try await one.write { try $0.execute(sql: Self.schema) }
    try await two.catchUp(with: one)
    try two.close()
    try await insert(1...60, one)
    let status = try await waitForTrimmedLog(below: 40, one)
    let first = try #require(try nodes.log.first())
    #expect(first < (status.snapshot ?? .start))
    #expect(try #require(status.snapshotAge) < Patience.limit)
    _ = try await one.waitForStatus("the size of the log") { ($0.logSize ?? 0) > 0 }
    // One node is at an entry that is gone, and one node is empty.
    let again = try await open("two", role: .replica)
    let three = try await open("three", role: .replica)
    try await insert(61...65, one)
    try await again.catchUp(with: one)
    try await three.catchUp(with: one)
    try expectEqual(one, again, three)
    for node in [one, again, three] { try node.close() }
    // A store drops snapshots that no node needs any more. One snapshot was perhaps being made.
    let kept = try FileManager.default.contentsOfDirectory(atPath: directory)
    #expect(kept.count { !$0.hasPrefix(".") } <= 3)
  }

  @Test func `a node without a store cannot join a trimmed log, and says so`() async throws {
    let one = try await open("one")
    try await one.write { try $0.execute(sql: Self.schema) }
    try await insert(1...40, one)
    _ = try await waitForTrimmedLog(below: 20, one)
    await #expect(throws: ReplicationError.snapshotNeeded(after: .start)) {
      _ = try await nodes.open("two", role: .replica)
    }
    try one.close()
  }

  @Test func `a transaction that cannot be repeated comes as a snapshot`() async throws {
    let one = try await open("one", every: 100_000)
    let two = try await open("two", role: .replica)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3)")
    }
    try await one.write { try $0.execute(sql: "DELETE FROM t WHERE a = 2") }
    try await two.catchUp(with: one)
    // It may change row ids.
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (4)") }
    try await two.catchUp(with: one)
    try expectEqual(one, two)
    #expect(two.status.snapshot != nil)
    try one.close()
    try two.close()
  }

  @Test func `a database that had content before gets to the other nodes as a snapshot`()
    async throws
  {
    let pool = try DatabasePool(path: nodes.path("one"))
    try await pool.write { db in
      try db.execute(sql: "\(Self.schema); INSERT INTO t (a) VALUES (1), (2)")
    }
    try pool.close()
    let one = try await open("one", every: 100_000)
    try await insert(3...4, one)
    let two = try await open("two", role: .replica)
    try await two.catchUp(with: one)
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2, 3, 4])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  /// Makes the file "one" with content, and a log that goes away after some appends.
  private func makeContent(
    after appends: Int,
    losesAnswer: Bool = true
  ) async throws -> RefusingLog {
    let pool = try DatabasePool(path: nodes.path("one"))
    try await pool.write { db in
      try db.execute(sql: "\(Self.schema); INSERT INTO t (a) VALUES (1), (2)")
    }
    try pool.close()
    return RefusingLog(
      MemoryLog(sharing: nodes.log),
      .unavailable("away"),
      after: appends,
      losesAnswer: losesAnswer
    )
  }

  /// After how many appends the log is away, and whether the answer of the last one is lost.
  private static let breaks = [(1, false), (1, true), (2, false), (2, true)]

  @Test(arguments: breaks)
  func `while the first node of a history with content is away, no other node leads`(
    appends: Int,
    losesAnswer: Bool
  ) async throws {
    let log = try await makeContent(after: appends, losesAnswer: losesAnswer)
    let first = try? await ReplicatedDatabase(
      path: nodes.path("one"),
      log: log,
      options: options("one")
    )
    try first?.close()
    #expect((first == nil) == (appends == 1 || losesAnswer))
    #expect(try nodes.log.tail() == LogPosition(Int64(appends)))
    let two = try await open("two")
    _ = try await two.waitForStatus("the missing content") { status in
      if case .needsSnapshot(.snapshotNeeded) = status.role { true } else { false }
    }
    let one = try await open("one")
    let epoch = Int64(appends)
    _ = try await one.waitForStatus("the primary") { $0.role == .primary && $0.epoch == epoch }
    try await insert(3...4, one)
    try await two.catchUp(with: one)
    #expect(try await two.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2, 3, 4])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a replica does not lead the history that it has begun`() async throws {
    let log = try await makeContent(after: 1)
    await #expect(throws: ReplicationError.log(.unavailable("away"))) {
      _ = try await ReplicatedDatabase(path: nodes.path("one"), log: log, options: options("one"))
    }
    let one = try await open("one", role: .replica)
    #expect(one.status.role == .replica)
    try one.close()
    let again = try await open("one")
    _ = try await again.waitForStatus("the primary") { $0.role == .primary && $0.epoch == 1 }
    try again.close()
  }

  /// How many entries of the first node the log has when it goes away: the first one, and perhaps
  /// the beginning of an epoch.
  @Test(arguments: [1, 2])
  func `content that no other node has is kept when the history continues without it`(
    appends: Int
  ) async throws {
    let log = try await makeContent(after: appends)
    await #expect(throws: ReplicationError.log(.unavailable("away"))) {
      _ = try await ReplicatedDatabase(
        path: nodes.path("one"),
        log: log,
        options: options("one")
      )
    }
    // An operator continues without that content.
    try await open("two").close()
    let two = try await ReplicatedDatabase(
      survivor: nodes.path("two"),
      log: MemoryLog(sharing: nodes.log),
      options: options("two")
    )
    try await two.write { try $0.execute(sql: Self.schema) }
    try await insert(7...40, two)
    _ = try await waitForTrimmedLog(below: 20, two)
    let one = try await open("one", role: .replica)
    try await one.catchUp(with: two)
    try expectEqual(one, two)
    let kept = try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
      .filter { $0.hasPrefix("one") && $0.contains("-discarded-") }
    #expect(kept.count == 1)
    let copy = try DatabaseQueue(path: nodes.directory.appendingPathComponent(kept[0]).path)
    #expect(try await copy.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 2])
    try copy.close()
    try one.close()
    try two.close()
  }

  @Test func `a schema with functions and collations of the application comes as a snapshot`()
    async throws
  {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("twice", argumentCount: 1, pure: true) { values in
          (Int.fromDatabaseValue(values[0]) ?? 0) * 2
        }
      )
      db.add(collation: DatabaseCollation("backwards") { $1.compare($0) })
    }
    func open(_ name: String, _ role: ReplicationRole) async throws -> ReplicatedDatabase {
      try await ReplicatedDatabase(
        path: nodes.path(name),
        log: MemoryLog(sharing: nodes.log),
        role: role,
        configuration: configuration,
        options: options(name)
      )
    }
    let one = try await open("one", .automatic)
    try await one.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t (a, b TEXT COLLATE backwards); CREATE INDEX i ON t (twice(a));
          CREATE INDEX j ON t (b);
          """
      )
    }
    for number in 1...30 {
      try await one.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?1, 'b' || ?1)", arguments: [number])
      }
    }
    _ = try await waitForTrimmedLog(below: 20, one)
    let two = try await open("two", .replica)
    try await two.catchUp(with: one)
    let found = try await two.read { db in
      try Int.fetchAll(db, sql: "SELECT a FROM t WHERE twice(a) = 14")
    }
    #expect(found == [7])
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a damaged snapshot is refused, and the file stays as it was`() async throws {
    let one = try await open("one", every: 100_000)
    let two = try await open("two", role: .replica)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    try await two.catchUp(with: one)
    try two.close()
    let first: LogPosition? = try await one.trimLog()
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    _ = try await one.waitForStatus("another snapshot") { $0.snapshot != first }
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
      let url = URL(fileURLWithPath: "\(directory)/\(name)")
      let whole = try Data(contentsOf: url)
      try whole.prefix(whole.count / 2).write(to: url)
    }
    let again = try await open("two", role: .replica)
    _ = try await again.waitForStatus("the refusal") {
      $0.lastError?.contains("snapshot cannot be used") == true
    }
    #expect(try await again.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    // The next snapshot is right.
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    try await again.catchUp(with: one)
    try expectEqual(one, again)
    try one.close()
    try again.close()
  }

  @Test func `observations go on across a snapshot, and readers keep what they see`()
    async throws
  {
    let one = try await open("one", every: 100_000)
    let two = try await open("two", role: .replica)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    try await two.catchUp(with: one)
    let observation = ValueObservation.tracking { try Int.fetchAll($0, sql: "SELECT a FROM t") }
    var values = observation.values(in: two).makeAsyncIterator()
    #expect(try await values.next() == [1])
    let snapshot = try two.makeSnapshot()
    try await one.writeWithoutTransaction { db in
      try db.execute(sql: "VACUUM")
      try db.execute(sql: "INSERT INTO t VALUES (2)")
    }
    #expect(try await values.next() == [1, 2])
    #expect(try await snapshot.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1])
    try snapshot.close()
    try one.close()
    try two.close()
  }

  @Test func `a foreign write on the primary ends its primacy, and is kept aside`() async throws {
    let one = try await open("one", every: 100_000)
    let two = try await open("two", every: 100_000)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    }
    try await two.catchUp(with: one)
    let other = try DatabaseQueue(path: nodes.path("one"))
    try await other.write { try $0.execute(sql: "INSERT INTO t VALUES (99)") }
    try other.close()
    await #expect(throws: ReplicationError.foreignWrite) {
      try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (2)") }
    }
    try await two.waitForPrimacy()
    try await two.write { try $0.execute(sql: "INSERT INTO t VALUES (3)") }
    try await one.catchUp(with: two)
    try expectEqual(one, two)
    #expect(try await one.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 3])
    let copy = try #require(
      try FileManager.default.contentsOfDirectory(atPath: nodes.directory.path)
        .first { $0.contains("-foreign-") }
    )
    let kept = try DatabaseQueue(path: nodes.directory.appendingPathComponent(copy).path)
    #expect(try await kept.read { try Int.fetchAll($0, sql: "SELECT a FROM t") } == [1, 99])
    try kept.close()
    try one.close()
    try two.close()
  }

  @Test func `a damaged replica takes an older snapshot, and what the log has since`()
    async throws
  {
    let one = try await open("one", every: 100_000)
    try await one.write { try $0.execute(sql: Self.schema) }
    let kept: LogPosition? = try await one.trimLog()
    try await insert(1...80, one)
    try await one.write { db in
      try db.execute(sql: "CREATE TABLE u (a); INSERT INTO u VALUES (zeroblob(700000))")
    }
    let two = try await open("two", role: .replica)
    try await two.catchUp(with: one)
    let observation = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE a > 0") ?? 0
    }
    var counts = observation.values(in: two).makeAsyncIterator()
    #expect(try await counts.next() == 80)
    let other = try DatabaseQueue(path: nodes.path("two"))
    try await other.write { try $0.execute(sql: "DELETE FROM t WHERE a = 7") }
    try other.close()
    try await insert(81...81, one)
    try await two.catchUp(with: one)
    try expectEqual(one, two)
    #expect(one.status.snapshot == kept)
    #expect(two.status.snapshot == kept)
    // The foreign write was seen, or not, and nothing older than that.
    while let count = try await counts.next(), count != 81 { #expect(count == 79 || count == 80) }
    try one.close()
    try two.close()
  }

  @Test func `a damaged replica waits when the log cannot be repeated on the newest snapshot`()
    async throws
  {
    // A node joins without a snapshot meanwhile.
    var options = options("one", every: 100_000)
    options.keptEntries = 1000
    let one = try await nodes.open("one", options: options)
    try await one.write { try $0.execute(sql: Self.schema) }
    let first: LogPosition? = try await one.trimLog()
    let aside = try move(to: "aside")
    let two = try await open("two", role: .replica)
    try await one.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    let second = try await one.waitForStatus("another") { $0.snapshot != first }.snapshot
    try await insert(1...3, one)
    try await two.catchUp(with: one)
    // The store loses the newest snapshot.
    _ = try move(to: "lost")
    try FileManager.default.moveItem(atPath: aside, toPath: directory)
    let other = try DatabaseQueue(path: nodes.path("two"))
    try await other.write { try $0.execute(sql: "DELETE FROM t WHERE a = 2") }
    try other.close()
    try await insert(4...4, one)
    let damaged = try await two.waitForStatus("the damage") { $0.lastError != nil }
    // It asks for one, and the primary makes it, perhaps before this status.
    #expect([.needsSnapshot(.foreignWrite), .replica].contains(damaged.role))
    try await two.catchUp(with: one)
    #expect(one.status.snapshot != second)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  /// Moves the snapshots to another directory.
  private func move(to name: String) throws -> String {
    let path = nodes.directory.appendingPathComponent(name).path
    try FileManager.default.moveItem(atPath: directory, toPath: path)
    return path
  }

  @Test func `what a killed node has left beside its file and in a store is removed`()
    async throws
  {
    let manager = FileManager.default
    let one = try await open("one", every: 100_000)
    try await one.write { try $0.execute(sql: Self.schema) }
    try await one.trimLog()
    try one.close()
    let kept = try #require(try manager.contentsOfDirectory(atPath: directory).first)
    let part = "\(directory)/.\(kept).\(UUID().uuidString)"
    let otherPart = "\(directory)/.other.\(UUID().uuidString)"
    let copy = nodes.path("one") + "-snapshot-\(UUID().uuidString)"
    let other = nodes.path("one") + "-snapshot-of-monday"
    for path in [part, otherPart, copy, copy + "-wal", other] {
      #expect(manager.createFile(atPath: path, contents: Data("left".utf8)))
    }
    let again = try await open("one", every: 100_000)
    try await again.trimLog()
    for path in [part, copy, copy + "-wal"] { #expect(!manager.fileExists(atPath: path)) }
    for path in [otherPart, other] { #expect(manager.fileExists(atPath: path)) }
    try again.close()
  }

  @Test func `a foreign write on a replica is noticed`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let other = try DatabaseQueue(path: nodes.path("two"))
    try await other.write { try $0.execute(sql: "INSERT INTO t VALUES (99)") }
    try other.close()
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    let status = try await two.waitForStatus("the end") { $0.role != .replica }
    #expect(status.role == .stopped(.foreignWrite))
    try one.close()
    try two.close()
  }

  @Test func `a file that a foreign write has damaged stays damaged when it is opened again`()
    async throws
  {
    let one = try await nodes.open("one")
    var two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try await two.catchUp(with: one)
    let other = try DatabaseQueue(path: nodes.path("two"))
    try await other.write { try $0.execute(sql: "INSERT INTO t VALUES (99)") }
    try other.close()
    try await one.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    _ = try await two.waitForStatus("the end") { $0.role != .replica }
    try two.close()
    two = try await nodes.open("two", role: .replica)
    let status = try await two.waitForStatus("the end") { $0.role != .replica }
    #expect(status.role == .stopped(.foreignWrite))
    try one.close()
    try two.close()
  }

  @Test func `a snapshot of an idle primary has its last heartbeat`() async throws {
    let one = try await open("one")
    try await one.write { try $0.execute(sql: Self.schema) }
    let last = one.status.applied.sequence
    // Without it, the next snapshot would be due at once, and the log never be trimmed.
    _ = try await one.waitForStatus("a later snapshot") { status in
      (status.snapshot?.sequence ?? 0) >= last + 20
    }
    let two = try await open("two", role: .replica)
    try await two.catchUp(with: one)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `a foreign checkpoint that empties the WAL is no foreign write`() async throws {
    let one = try await nodes.open("one")
    let two = try await nodes.open("two", role: .replica)
    try await one.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    for number in 1...4 {
      for name in ["one", "two"] {
        let other = try DatabaseQueue(path: nodes.path(name))
        try await other.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try other.close()
      }
      try await one.write { db in
        try db.execute(sql: "INSERT INTO t VALUES (?)", arguments: [number])
      }
      try await two.catchUp(with: one)
    }
    #expect(one.status.role == .primary)
    #expect(two.status.role == .replica)
    try expectEqual(one, two)
    try one.close()
    try two.close()
  }

  @Test func `snapshots are made while writes go on`() async throws {
    let one = try await open("one", every: 40)
    try await one.write { try $0.execute(sql: Self.schema) }
    for round in 0..<Soak.size(100, inSuite: 4) {
      try await insert((round * 50)...(round * 50 + 49), one)
      let joined = try await open("node\(round)", role: .replica)
      try await joined.catchUp(with: one)
      try expectEqual(one, joined)
      try joined.close()
    }
    try one.close()
  }
}
