internal import Foundation
internal import Recording
internal import Storage
internal import WellspringSystem

/// Replacing the content of a file that cannot follow the log.
extension Node {
  /// Whether only this file has the content from which the history began: no snapshot was made yet.
  var holdsBeginning: Bool {
    get throws { try pool.read(ReplicationTable.genesis) != nil }
  }

  /// Keeps a copy of content that only this file has, before a snapshot replaces it.
  func keepForeignContent() throws {
    let (damage, place, isKept) = state.withLock {
      ($0.machine.damage?.error, $0.place, $0.hasKeptContent)
    }
    // A snapshot that could not be installed is tried again.
    guard let error = damage, !isKept else { return }
    let name: String
    switch error {
    case .diverged where try holdsBeginning, .snapshotNeeded where try holdsBeginning:
      name = "discarded"
    case .foreignWrite: name = "foreign"
    case .otherSurvivor: name = "discarded"
    // If the first node of a history never led, only its file has the content of the beginning.
    case .diverged where place.epoch == 0: name = "discarded"
    case .discardedCommits: return
    // An operator may have continued the history without the last entries of this file.
    case .snapshotNeeded where try Survivor.position(in: log, after: place) != nil:
      name = "discarded"
    // The log may have these commits, or not.
    default: return try surfaceDiscardedCommits()
    }
    let path = "\(pool.path)-\(name)-\(Node.now)"
    _ = try SnapshotFile.make(from: pool, at: path)
    update { state in
      state.hasKeptContent = true
      state.keptCopy = path
      state.noteError("\(error) A copy of it is \(path).", isOfLog: false)
    }
  }

  /// Notes in the file that it must be replaced, unless only its entries are missing from the log.
  func noteDamageInFile() throws {
    guard let damage = state.withLock({ $0.machine.damage }) else { return }
    if case .snapshotNeeded(let position) = damage.error, position > .start { return }
    try withoutRecording { file in
      guard try ReplicationTable.damage(file.db) == nil else { return }
      // Whatever other connections have written, the file is damaged.
      try file.adoptForeignCommits()
      try file.write { db in
        try ReplicationTable.noteDamage(damage.error, db)
        return .commit
      }
    }
  }

  /// Replaces the content of the file by the newest snapshot and the later entries of the log.
  ///
  /// - Parameters:
  ///   - position: The first entry that the new content must contain: for readers, the content
  ///     never becomes older.
  ///   - mayContinue: Whether the log may have the entries that the snapshot lacks.
  /// - Returns: Whether there was such a snapshot.
  /// - Throws: ``ReplicationError``, or the error of the store. The file is as it was then.
  func takeSnapshot(atLeast position: LogPosition, continuing mayContinue: Bool) throws -> Bool {
    let (database, unusable) = state.withLock { ($0.place.database, $0.unusableSnapshot) }
    guard let store = options.snapshots,
      let newest = try Node.newest(of: database, in: store, snapshotCalls)
    else { return false }
    if newest.position < position {
      guard mayContinue, newest != unusable else { return false }
      // This check comes first, because it needs no fetched snapshot.
      guard try hasEntries(after: newest.position, through: position) else { return false }
    }
    let calls = snapshotCalls
    return try Node.withCopy(of: newest, in: store, calls, log, for: pool) { snapshot in
      guard let content = try snapshot.continued(through: position, by: log) else {
        update { $0.unusableSnapshot = newest }
        return false
      }
      try install(content, from: newest.position)
      return true
    }
  }

  private func hasEntries(
    after position: LogPosition,
    through last: LogPosition
  ) throws(ReplicationError) -> Bool {
    try ReplicationError.asking { () throws(ReplicationLogError) in
      guard let first = try log.first(), first <= position.next else { return false }
      return try log.tail() >= last
    }
  }

  /// Replaces the content of the file by a snapshot that was taken at `position`, and perhaps
  /// continued since.
  private func install(_ snapshot: SnapshotFile, from position: LogPosition) throws {
    try keepForeignContent()
    let (beginnings, outbox, numbers) = try withoutRecording { file in
      try snapshot.install(in: file.db)
      recorder.forgetFailure()
      try file.adoptForeignCommits()
      return (
        try ReplicationTable.epochs(file.db), try Outbox.count(file.db), try Outbox.numbers(file.db)
      )
    }
    update { state in
      // Set together with the place, because waiters wake on it.
      state.noteTakenSnapshot(position, at: Node.now)
      state.place = snapshot.place
      state.epochs = beginnings.beginnings
      state.primaryAddress = beginnings.address
      state.outbox = outbox
      state.fate.replace(by: numbers, at: snapshot.place.token)
      state.lastForeignCommit = numbers?.upperBound ?? 0
    }
  }

  /// Returns the name of the newest snapshot that a store has.
  static func newest(
    of database: DatabaseID,
    in store: SnapshotStore,
    _ calls: SnapshotCalls
  ) throws -> SnapshotName? {
    try calls.wait { try await store.names() }
      .compactMap { SnapshotName($0, of: database) }
      .max { $0.position < $1.position }
  }

  /// Fetches and checks a snapshot, and removes the copy after the closure.
  ///
  /// - Throws: ``ReplicationError/damagedSnapshot(_:)``, ``ReplicationError/log(_:)``, or the error
  ///   of the store or the closure.
  static func withCopy<Value>(
    of name: SnapshotName,
    in store: SnapshotStore,
    _ calls: SnapshotCalls,
    _ log: any ReplicationLog,
    for pool: DatabasePool,
    _ body: (SnapshotFile) throws -> Value
  ) throws -> Value {
    try withTemporaryPath(beside: pool.path) { path in
      try calls.wait { try await store.get(name.text, path) }
      return try body(try SnapshotFile.verify(path, name, log, for: pool))
    }
  }
}
