import Foundation
import Storage
import Testing
import TestSupport

@testable import Replication

/// The place of a file in the history of a log when a node opens the file.
@Suite struct OpenedFileTests {
  private let directory = TemporaryDirectory()
  private let log = ScriptedLog()

  private func path(_ name: String) -> String { directory.file("\(name).sqlite") }

  /// Opens a file with the log of the test, or with another log.
  private func open(
    _ name: String,
    _ other: (any ReplicationLog)? = nil,
    role: ReplicationRole = .automatic,
    options: ReplicationOptions = ReplicationOptions()
  ) throws -> OpenedFile {
    try OpenedFile.open(path(name), Configuration(), other ?? log, role, options)
  }

  private func close(_ opened: OpenedFile) throws {
    try opened.pool.close()
    opened.turn.release()
  }

  /// The place after the first entry of the log.
  private func genesis() throws -> HistoryPosition {
    let first = try #require(log.kept.first)
    return try History.genesis(first).last
  }

  // MARK: The first entry

  @Test func `the first node begins the history, and the next one takes its first entry`() throws {
    let one = try open("one")
    #expect(log.kept.count == 1)
    #expect(one.isFirst && !one.hadContent)
    let genesis = try genesis()
    #expect(one.place == genesis)
    var primacy = try wonPrimacy(of: log, after: History(one.place))
    _ = try primacy.commit([1])
    // A new file has none of the later entries, so its place is before them.
    for (name, role) in [("two", ReplicationRole.automatic), ("three", .replica)] {
      let next = try open(name, role: role)
      #expect(!next.isFirst)
      #expect(next.place == genesis)
      #expect(try next.pool.read(ReplicationTable.read) == genesis)
      try close(next)
    }
    #expect(log.kept.count == 3)
    try close(one)
  }

  @Test func `when another node comes first, its first entry is taken`() throws {
    let (bytes, place) = EntryWriter.genesis(DatabaseID(), fingerprint: [1], time: 0)
    log.failAppends([.overtaken(bytes)])
    let one = try open("one")
    #expect(!one.isFirst)
    #expect(one.place == place)
    #expect(log.kept.map(\.bytes) == [bytes])
    try close(one)
  }

  @Test(arguments: [ScriptedLog.AppendFault.answerLost, .neverStored])
  func `after an unknown outcome of the first entry, the place is that of the log`(
    fault: ScriptedLog.AppendFault
  ) throws {
    log.failAppends([fault])
    let one = try open("one")
    #expect(log.kept.count == 1)
    let genesis = try genesis()
    #expect(one.place == genesis)
    try close(one)
  }

  @Test func `an empty file follows a node that led after its own first entry`() throws {
    let claimed = ChangedLog(
      log,
      didAppend: { log, _ in
        // The answer is lost, and another node becomes the primary meanwhile.
        if let first = log.kept.first, let place = try? History.genesis(first).last {
          _ = try? wonPrimacy(of: log, after: History(place))
        }
        return .unknown("no answer")
      }
    )
    let one = try open("one", claimed)
    #expect(!one.isFirst)
    #expect(one.damage == nil)
    #expect(one.place == (try genesis()))
    #expect(log.kept.count == 2)
    try close(one)
  }

  @Test func `a replica waits for the history, and begins none`() throws {
    #expect {
      _ = try open("one", role: .replica)
    } throws: { error in
      if case ReplicationError.log(.unavailable) = error { true } else { false }
    }
    #expect(log.kept == [])
    let (bytes, place) = EntryWriter.genesis(DatabaseID(), fingerprint: [1], time: 0)
    // Another node begins the history while the replica waits for the first entry.
    let late = ChangedLog(log, willRead: { _ = try? $0.append(bytes, expecting: .start) })
    let one = try open("one", late, role: .replica)
    #expect(!one.isFirst)
    #expect(one.place == place)
    #expect(log.kept.count == 1)
    try close(one)
  }

  @Test func `a first entry that comes wrongly is read again, and is an error if it stays wrong`()
    throws
  {
    let one = try open("one")
    let cut: @Sendable ([LogEntry]) -> [LogEntry] = { entries in
      entries.map { LogEntry(position: $0.position, bytes: Array($0.bytes.dropLast(5))) }
    }
    log.changeReads([cut, cut, cut])
    #expect(throws: ReplicationError.history(.damaged(LogPosition(1), .wrongChecksum))) {
      try open("two")
    }
    log.changeReads([{ _ in [] }, cut])
    let two = try open("two")
    #expect(two.place == one.place)
    try close(one)
    try close(two)
  }

  // MARK: Files with a place

  @Test func `a file that has a place is opened without its log`() throws {
    let one = try open("one")
    try one.pool.write { db in
      try ReplicationTable.begin(1, at: LogPosition(2), address: "other", db)
    }
    try close(one)
    let again = try open("one", RefusingLog(log, .unavailable("away")))
    #expect(again.place == one.place)
    #expect(!again.isFirst)
    #expect(again.damage == nil)
    #expect(again.primaryAddress == "other")
    var epochs = EpochBeginnings()
    epochs.begin(1, at: LogPosition(2))
    #expect(again.epochs == epochs)
    try close(again)
  }

  @Test(
    arguments: [
      (.foreignWrite, 1), (.otherSurvivor(LogPosition(9)), 9),
    ] as [(ReplicationError, Int64)]
  )
  func `damage names the first entry that a snapshot must have`(
    error: ReplicationError,
    needed: Int64
  ) throws {
    let one = try open("one")
    try one.pool.write { db in try ReplicationTable.noteDamage(error, db) }
    try close(one)
    let again = try open("one", RefusingLog(log, .unavailable("away")))
    #expect(again.damage?.error == error)
    #expect(again.damage?.needed == LogPosition(needed))
    try close(again)
  }

  @Test func `a file with content begins a history only if other nodes can get the content`() throws
  {
    let pool = try DatabasePool(path: path("one"))
    try pool.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try pool.close()
    #expect(throws: ReplicationError.foreignFile) { try open("one") }
    #expect(log.kept == [])
    var options = ReplicationOptions()
    options.snapshots = .directory(directory.file("snapshots"))
    let one = try open("one", options: options)
    #expect(one.isFirst && one.hadContent)
    #expect(log.kept.count == 1)
    try close(one)
  }

  /// Makes a file with content, and options with which it may begin a history.
  private func makeContent(_ name: String) throws -> ReplicationOptions {
    let pool = try DatabasePool(path: path(name))
    try pool.write { try $0.execute(sql: "CREATE TABLE t (a)") }
    try pool.close()
    var options = ReplicationOptions()
    options.snapshots = .directory(directory.file("snapshots"))
    return options
  }

  @Test(arguments: [ScriptedLog.AppendFault.answerLost, .neverStored])
  func `a file with content begins a history although the answer of the log is lost`(
    fault: ScriptedLog.AppendFault
  ) throws {
    let options = try makeContent("one")
    log.failAppends([fault])
    let one = try open("one", options: options)
    #expect(one.isFirst && one.hadContent)
    #expect(log.kept.count == 1)
    #expect(one.place == (try genesis()))
    try close(one)
  }

  @Test(arguments: [false, true])
  func `a file with content continues the history that an earlier attempt has begun`(
    isTrimmed: Bool
  ) throws {
    let options = try makeContent("one")
    log.failAppends([.answerLost])
    #expect(throws: ReplicationError.log(.unavailable("away"))) {
      try open("one", RefusingLog(log, .unavailable("away"), after: 1), options: options)
    }
    let genesis = try genesis()
    if isTrimmed {
      var primacy = try wonPrimacy(of: log, after: History(genesis))
      _ = try primacy.commit([1])
      try log.trim(below: LogPosition(2))
    }
    let one = try open("one", options: options)
    #expect(one.place == genesis)
    #expect(one.isFirst == !isTrimmed)
    try close(one)
    let again = try open("one", RefusingLog(log, .unavailable("away")))
    #expect(again.place == genesis)
    try close(again)
    // Another file with content is not part of that history.
    let others = try makeContent("two")
    #expect(throws: ReplicationError.foreignFile) { try open("two", options: others) }
  }

  @Test
  func `a copy of a file that was about to begin a history needs a snapshot if another node led`()
    throws
  {
    var options = try makeContent("one")
    options.address = "one"
    log.failAppends([.answerLost])
    #expect(throws: ReplicationError.log(.unavailable("away"))) {
      try open("one", RefusingLog(log, .unavailable("away"), after: 1), options: options)
    }
    for name in ["copy", "same"] {
      try FileManager.default.copyItem(atPath: path("one"), toPath: path(name))
    }
    let genesis = try genesis()
    let claim = try Primacy.claim(
      log,
      after: History(genesis),
      EpochClaim(address: "one"),
      fingerprint: [],
      time: 0
    )
    guard case .won = claim else { throw LostClaim() }
    // The node that led has forgotten its place, as after a power failure.
    for (name, isDamaged) in [("copy", true), ("same", false)] {
      options.address = isDamaged ? "copy" : "one"
      for _ in 1...2 {
        let opened = try open(name, options: options)
        #expect(opened.place == genesis)
        #expect(!opened.isFirst)
        #expect(opened.damage?.error == (isDamaged ? .snapshotNeeded(after: .start) : nil))
        try close(opened)
      }
    }
  }

  @Test func `an empty file needs a snapshot of a history that began with content`() throws {
    let options = try makeContent("one")
    try close(try open("one", options: options))
    let two = try open("two", options: options)
    #expect(two.place == (try genesis()))
    #expect(two.damage?.error == .snapshotNeeded(after: .start))
    #expect(two.damage?.needed == LogPosition(1))
    try close(two)
    let again = try open("two", options: options)
    #expect(again.damage == two.damage)
    try close(again)
  }

  // MARK: The right to a file

  @Test func `an error closes the file, and the next node may open it`() throws {
    let refusing = RefusingLog(log, .authentication("the certificate has expired"))
    #expect(throws: ReplicationError.log(.authentication("the certificate has expired"))) {
      try open("one", refusing)
    }
    #expect(openFiles() == [])
    refusing.accept()
    let one = try open("one", refusing)
    #expect(one.isFirst)
    #expect(openFiles() != [])
    try close(one)
    #expect(openFiles() == [])
  }

  /// The files of the test that this process has open.
  private func openFiles() -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.compactMap { number in
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    }.filter { $0.hasPrefix(directory.path) }
  }

  @Test func `the unfinished copies of a running node stay, and those of an ended node go`() throws
  {
    let one = try open("one")
    let copy = path("one") + "-snapshot-" + UUID().uuidString
    try Data().write(to: URL(fileURLWithPath: copy))
    #expect {
      _ = try open("one")
    } throws: { error in
      if case ReplicationError.fileInUse = error { true } else { false }
    }
    #expect(FileManager.default.fileExists(atPath: copy))
    try close(one)
    let again = try open("one")
    #expect(!FileManager.default.fileExists(atPath: copy))
    try close(again)
  }
}

/// A log that other nodes change before reads and after appends.
private final class ChangedLog: ReplicationLog {
  private let base: ScriptedLog
  private let willRead: @Sendable (ScriptedLog) -> Void
  private let didAppend: @Sendable (ScriptedLog, AppendOutcome) -> AppendOutcome

  /// - Parameters:
  ///   - base: The log.
  ///   - willRead: Called before entries are read.
  ///   - didAppend: Called after an append, with its answer. It returns the answer for the node.
  init(
    _ base: ScriptedLog,
    willRead: @escaping @Sendable (ScriptedLog) -> Void = { _ in },
    didAppend: @escaping @Sendable (ScriptedLog, AppendOutcome) -> AppendOutcome = { $1 }
  ) {
    self.base = base
    self.willRead = willRead
    self.didAppend = didAppend
  }

  var entryLimit: Int { base.entryLimit }

  func append(
    _ bytes: [UInt8],
    expecting position: LogPosition
  ) throws(ReplicationLogError) -> AppendOutcome {
    didAppend(base, try base.append(bytes, expecting: position))
  }

  func entries(
    after position: LogPosition,
    limit: Int,
    waitingUpTo timeout: Duration
  ) throws(ReplicationLogError) -> [LogEntry] {
    willRead(base)
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
