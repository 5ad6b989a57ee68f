import Recording
import Storage
import Testing
import TestSupport
import WellspringSystem

@testable import Replication

/// The thread of a node that follows a log, while no other thread of the node runs.
@Suite(.patient) struct NodeLoopTests {
  typealias Read = NotedLog.Read

  @Test func `a batch has 512 entries and is one transaction, and damage ends the reading`()
    async throws
  {
    let follower = try Follower()
    // The first two entries begin the history and the epoch.
    try follower.commit("CREATE TABLE t (a)")
    for number in 4...602 { try follower.commit("INSERT INTO t VALUES (\(number))") }
    // No file can repeat a transaction twice.
    try follower.appendLastTransaction()
    follower.start()
    let node = follower.node
    let error = await #expect(throws: ReplicationError.self) {
      try await node.wait(until: WriteToken(epoch: 1, sequence: 603), timeout: Patience.limit)
    }
    let isDiverged = if case .diverged? = error { true } else { false }
    #expect(isDiverged)
    // The second batch has 89 entries that fit, and none of them is in the file.
    let place = try await follower.filePlace()
    #expect(place.position == LogPosition(513))
    let last = try await node.pool.read { try Int.fetchOne($0, sql: "SELECT max(a) FROM t") }
    #expect(last == 513)
    try follower.commit("INSERT INTO t VALUES (604)")
    try await follower.end()
    #expect(follower.log.reads == [Read(after: 1, limit: 512), Read(after: 513, limit: 512)])
  }

  @Test func `heartbeats are read without a write to the file, which has their place at the end`()
    async throws
  {
    let follower = try Follower()
    try follower.commit("CREATE TABLE t (a)")
    follower.start()
    try await follower.wait(for: 3)
    for _ in 1...3 { try follower.beat() }
    try await follower.wait(for: 6)
    let before = try await follower.filePlace()
    #expect(before.position == LogPosition(3))
    await follower.endThread()
    let after = try await follower.filePlace()
    #expect(after.position == LogPosition(6))
    try follower.node.closeFile()
  }

  @Test func `after an error of the log, reading begins again at the place of the file`()
    async throws
  {
    let follower = try Follower()
    try follower.commit("CREATE TABLE t (a)")
    follower.start()
    try await follower.wait(for: 3)
    try follower.beat()
    try await follower.wait(for: 4)
    // One call of the thread fails. It may wait in the call before that one, for the next entry.
    follower.log.failNextCall()
    try follower.beat()
    let node = follower.node
    try await eventually { node.state.withLock { $0.reconnects } == 1 }
    try await follower.wait(for: 5)
    try await follower.end()
    let reads = follower.log.reads.filter { $0.position == LogPosition(3) }
    #expect(reads.count == 2)
  }

  @Test(
    arguments: [
      (true, .history(.replaced(LogPosition(1)))), (false, .logLost(from: LogPosition(1))),
    ] as [(Bool, ReplicationError)]
  )
  func `a log without the last entry of the file stops the node before it follows`(
    hasAnother: Bool,
    expected: ReplicationError
  ) async throws {
    let follower = try Follower()
    follower.written.loseEntries(after: .start)
    if hasAnother { _ = try beginHistory(in: follower.written) }
    follower.start(isChecked: false)
    let node = follower.node
    await #expect(throws: expected) {
      try await node.wait(until: WriteToken(epoch: 1, sequence: 2), timeout: Patience.limit)
    }
    try await follower.end()
    #expect(!follower.log.reads.isEmpty)
    #expect(follower.log.reads.allSatisfy { $0.limit < 512 })
  }

  @Test(arguments: [false, true])
  func `the thread ends when its node is closed, whatever it waits for`(
    isStopped: Bool
  ) async throws {
    let follower = try Follower()
    if isStopped { follower.node.stop(.foreignWrite) }
    follower.start()
    if !isStopped {
      try await follower.wait(for: 2)
      let log = follower.written
      try await eventually { log.waiterCount == 1 }
    }
    try await follower.end()
    #expect(follower.log.reads.isEmpty == isStopped)
  }

  @Test func `a candidate that reads the entries of a primary claims nothing`() async throws {
    let follower = try Follower(role: .automatic)
    for _ in 1...600 { try follower.beat() }
    follower.start()
    try await follower.wait(for: 602)
    let node = follower.node
    #expect(!node.state.withLock { $0.isPrimary })
    #expect(node.state.withLock { $0.primaryAddress } == "primary")
    try await follower.end()
    #expect(follower.log.appends == 0)
  }

  /// A node whose file is at the first entry of a log, and the primary that writes the log.
  private final class Follower {
    /// The log, as the primary writes it.
    let written = MemoryLog()
    /// The log, as the node reads it.
    let log: NotedLog
    let node: Node
    private var primacy: Primacy
    private let pair: RecordedPair
    private let directory = TemporaryDirectory()

    init(role: ReplicationRole = .replica) throws {
      var options = ReplicationOptions()
      // Only the calls of a test end the waits of the thread.
      options.heartbeatInterval = .seconds(10_000)
      options.electionTimeout = .seconds(10_000)
      pair = try RecordedPair()
      log = NotedLog(MemoryLog(sharing: written))
      let opened = try OpenedFile.open(
        directory.file(),
        Configuration(),
        written,
        .automatic,
        options
      )
      node = try Node(opened, log: log, role: role, options: options)
      // Without a fingerprint, the schemas are not compared.
      let claim = try Primacy.claim(
        written,
        after: History(opened.place),
        EpochClaim(address: "primary"),
        fingerprint: [],
        time: 0
      )
      guard case .won(let primacy) = claim else { throw LostClaim() }
      self.primacy = primacy
    }

    deinit { node.close() }

    // MARK: The primary

    /// Appends the transaction of a statement.
    func commit(_ sql: String) throws {
      try pair.run(sql)
      try appendLastTransaction()
    }

    func appendLastTransaction() throws {
      let last = try #require(pair.transactions.last)
      _ = try primacy.append(
        .commits,
        body: EntryBatch(transactions: [last.encoded()]).encoded(),
        commits: 1,
        fingerprint: [],
        time: 0
      )
    }

    func beat() throws { _ = try primacy.append(.heartbeat, fingerprint: [], time: 0) }

    // MARK: The node

    func start(isChecked: Bool = true) {
      let place = node.state.withLock { $0.place }
      NodeLoop.start(node, after: History(place), isChecked: isChecked)
    }

    /// Waits until the node has read an entry.
    func wait(for sequence: Int64) async throws {
      let token = WriteToken(epoch: 1, sequence: sequence)
      try await node.wait(until: token, timeout: Patience.limit)
    }

    func filePlace() async throws -> HistoryPosition {
      let place = try await node.pool.read(ReplicationTable.read)
      return try #require(place)
    }

    /// Closes the node, and waits for the end of the thread.
    func endThread() async {
      node.close()
      await waitWithoutBlocking(for: node.didEnd)
    }

    func end() async throws {
      await endThread()
      try node.closeFile()
    }
  }

  /// A log in memory that notes the calls of its reader.
  final class NotedLog: ReplicationLog {
    /// A call for entries.
    struct Read: Hashable, Sendable {
      let position: LogPosition
      let limit: Int

      init(after sequence: Int64, limit: Int) {
        position = LogPosition(sequence)
        self.limit = limit
      }
    }

    private let base: MemoryLog
    // Guards the calls so far.
    private let calls = Lock((reads: [Read](), appends: 0))

    init(_ base: MemoryLog) { self.base = base }

    var reads: [Read] { calls.withLock { $0.reads } }
    var appends: Int { calls.withLock { $0.appends } }

    func failNextCall() { base.faults.unavailableCalls = 1 }

    var entryLimit: Int { base.entryLimit }

    func append(
      _ bytes: [UInt8],
      expecting position: LogPosition
    ) throws(ReplicationLogError) -> AppendOutcome {
      calls.withLock { $0.appends += 1 }
      return try base.append(bytes, expecting: position)
    }

    func entries(
      after position: LogPosition,
      limit: Int,
      waitingUpTo timeout: Duration
    ) throws(ReplicationLogError) -> [LogEntry] {
      calls.withLock { $0.reads.append(Read(after: position.sequence, limit: limit)) }
      return try base.entries(after: position, limit: limit, waitingUpTo: timeout)
    }

    func tail() throws(ReplicationLogError) -> LogPosition { try base.tail() }
    func first() throws(ReplicationLogError) -> LogPosition? { try base.first() }
    func trim(below position: LogPosition) throws(ReplicationLogError) {
      try base.trim(below: position)
    }
    func usage() throws(ReplicationLogError) -> LogUsage { try base.usage() }
    func close() { base.close() }
  }
}
