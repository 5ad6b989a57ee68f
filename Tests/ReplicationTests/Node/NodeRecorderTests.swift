import Recording
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

/// The commits of a primary without its threads: only the writes of a test append to its log.
@Suite struct NodeRecorderTests {
  /// An error of the caller.
  private struct Other: Error {}

  @Test(
    arguments: [
      (.refused(.full("2 GB")), true), (.answerLost, false), (.neverStored, false),
      (.overtaken([1]), false),
    ] as [(ScriptedLog.AppendFault, Bool)]
  )
  func `a commit that the log does not confirm leaves the rows and the place as they were`(
    fault: ScriptedLog.AppendFault,
    staysPrimary: Bool
  ) throws {
    let primary = try Primary()
    try primary.insert(1)
    let before = try primary.place()
    primary.log.failAppends([fault])
    #expect(throws: ReplicationError.self) { try primary.insert(2) }
    #expect(try primary.rows() == [1])
    #expect(try primary.place() == before)
    #expect(primary.knownPlace == before)
    #expect(primary.isLeading == staysPrimary)
    // SQLite has refused no commit, so the error of the write is the error of the log.
    #expect(primary.node.recorder.error(after: Other()) is Other)
    guard staysPrimary else { return }
    try primary.insert(3)
    #expect(try primary.rows() == [1, 3])
    #expect(try primary.place().position == before.position.next)
  }

  @Test func `a commit that SQLite refuses after its append has an unknown outcome, once`() throws {
    let primary = try Primary()
    try primary.refuseThirteen(after: "UPDATE ON _replication")
    try primary.insert(1)
    let before = try primary.place()
    #expect(throws: DatabaseError.self) { try primary.insert(13) }
    // The log has the entry, and the file does not.
    #expect(primary.log.kept.last?.position == before.position.next)
    #expect(try primary.rows() == [1])
    #expect(try primary.place() == before)
    #expect(primary.knownPlace == before)
    #expect(!primary.isLeading)
    let token = WriteToken(epoch: before.epoch, sequence: before.position.next.sequence)
    let unknown = primary.node.recorder.error(after: Other()) as? ReplicationError
    #expect(unknown == .outcomeUnknown(token))
    #expect(primary.node.recorder.error(after: Other()) is Other)
  }

  @Test func `a local commit that SQLite refuses leaves its number to the next one`() throws {
    let primary = try Primary(.local)
    try primary.refuseThirteen(after: "INSERT ON _replication_outbox")
    try primary.insert(1)
    let (entries, before) = (primary.log.kept.count, try primary.outboxNumbers())
    #expect(throws: DatabaseError.self) { try primary.insert(13) }
    #expect(primary.node.recorder.error(after: Other()) is Other)
    #expect(primary.isLeading)
    #expect(try primary.outboxNumbers() == before)
    #expect(primary.knownOutbox == before.count)
    try primary.insert(2)
    #expect(try primary.outboxNumbers() == before.lowerBound...(before.upperBound + 1))
    #expect(primary.knownOutbox == before.count + 1)
    #expect(try primary.rows() == [1, 2])
    #expect(primary.log.kept.count == entries)
  }

  @Test func `without its node, a connection commits nothing`() throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "CREATE TABLE t (a)")
      try db.startRecording(NodeRecorder())
    }
    #expect(throws: ReplicationError.closed) {
      try queue.write { try $0.execute(sql: "INSERT INTO t VALUES (1)") }
    }
    #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") } == 0)
  }

  @Test func `the next entry does not have the schema of a refused commit`() throws {
    let primary = try Primary()
    primary.log.failAppends([.refused(.full("2 GB"))])
    #expect(throws: ReplicationError.log(.full("2 GB"))) {
      try primary.write("CREATE TABLE refused (a)")
    }
    // SQLite gives this schema the number that the refused one had.
    try primary.write("CREATE TABLE kept (a, b)")
    let schema = try primary.node.pool.read { try SchemaFingerprint($0).bytes }
    #expect(try primary.lastEntry().fingerprint == schema)
  }

  @Test func `a commit after that of another connection is refused before its append`() throws {
    let primary = try Primary()
    let (entries, place) = (primary.log.kept.count, primary.knownPlace)
    let other = try DatabaseQueue(path: primary.node.pool.path)
    try other.write { try $0.execute(sql: "INSERT INTO t VALUES (99)") }
    try other.close()
    // The commit of the other connection is not forgotten after the first refusal.
    for number in 1...2 {
      #expect(throws: ReplicationError.foreignWrite) { try primary.insert(number) }
    }
    #expect(try primary.rows() == [99])
    #expect(primary.log.kept.count == entries)
    #expect(!primary.isLeading)
    #expect(primary.damage.error == .foreignWrite)
    #expect(primary.damage.needed == place.position.next)
  }

  @Test func `content that a backup has replaced is damage, and nothing of it is logged`() throws {
    let primary = try Primary()
    let (entries, place) = (primary.log.kept.count, primary.knownPlace)
    let other = try DatabaseQueue()
    try other.write { try $0.execute(sql: "CREATE TABLE t (a); INSERT INTO t VALUES (5)") }
    try other.backup(to: primary.node.pool)
    #expect(!primary.isLeading)
    #expect(primary.damage.error == .foreignWrite)
    #expect(primary.damage.needed == place.position.next)
    #expect(throws: ReplicationError.self) { try primary.insert(6) }
    #expect(try primary.rows() == [5])
    #expect(primary.log.kept.count == entries)
  }

  @Test func `VACUUM is logged before it runs, and other nodes then need a snapshot`() throws {
    let primary = try Primary()
    try primary.insert(1)
    func vacuum() throws {
      try primary.node.pool.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    }
    try vacuum()
    let last = try #require(primary.log.kept.last)
    #expect(try primary.lastEntry().kind == .snapshotNeeded)
    #expect(try primary.place().position == last.position)
    #expect(primary.knownPlace.position == last.position)
    #expect(primary.neededSnapshot == last.position)
    primary.log.failAppends([.refused(.full("2 GB"))])
    #expect(throws: ReplicationError.log(.full("2 GB"))) { try vacuum() }
    #expect(try primary.place().position == last.position)
    #expect(primary.knownPlace.position == last.position)
  }

  /// A primary with a table `t`, whose threads do not run.
  private final class Primary {
    let log = ScriptedLog()
    let node: Node
    private let directory = TemporaryDirectory()

    init(_ promise: ReplicationPromise = .logged) throws {
      var options = ReplicationOptions()
      options.promise = promise
      options.longestOutboxTime = .seconds(10_000)
      let opened = try OpenedFile.open(
        directory.file(),
        Configuration(),
        log,
        .automatic,
        options
      )
      node = try Node(opened, log: log, role: .automatic, options: options)
      let primacy = try wonPrimacy(of: log, after: History(opened.place))
      try node.begin(primacy)
      try write("CREATE TABLE t (a)")
    }

    deinit {
      node.close()
      try? node.closeFile()
    }

    func write(_ sql: String) throws { try node.pool.write { try $0.execute(sql: sql) } }

    func insert(_ number: Int) throws { try write("INSERT INTO t VALUES (\(number))") }

    /// Makes SQLite refuse each transaction with the row 13 at its COMMIT, by a row whose foreign
    /// key is wrong. A write of the recorder adds that row.
    func refuseThirteen(after write: String) throws {
      try self.write(
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED);
        CREATE TRIGGER refuse AFTER \(write) WHEN EXISTS (SELECT 1 FROM t WHERE a = 13)
        BEGIN INSERT INTO c VALUES (13); END;
        """
      )
    }

    func rows() throws -> [Int] {
      try node.pool.read { try Int.fetchAll($0, sql: "SELECT a FROM t ORDER BY rowid") }
    }

    /// The place in the file.
    func place() throws -> HistoryPosition {
      try #require(try node.pool.read(ReplicationTable.read))
    }

    func outboxNumbers() throws -> ClosedRange<Int64> {
      try #require(try node.pool.read(Outbox.numbers))
    }

    /// The last entry of the log.
    func lastEntry() throws -> Entry {
      let last = try #require(log.kept.last)
      return try Entry.decode(last.bytes).entry
    }

    // The knowledge of the node.

    var knownPlace: HistoryPosition { node.state.withLock { $0.place } }
    var knownOutbox: Int { node.state.withLock { $0.outbox } }
    var isLeading: Bool { node.state.withLock { $0.isPrimary } }
    var neededSnapshot: LogPosition? { node.state.withLock { $0.neededSnapshot } }
    var damage: (error: ReplicationError?, needed: LogPosition?) {
      node.state.withLock { ($0.machine.damage?.error, $0.machine.damage?.needed) }
    }
  }
}
