internal import Dispatch
internal import Foundation
internal import Storage
internal import WellspringPlatform

extension Node {
  /// A path beside the file of the node, for a copy.
  private static func temporaryPath(_ path: String) -> String {
    "\(path)-snapshot-\(UUID().uuidString)"
  }

  /// Runs a closure with a path for a copy, which is removed afterwards.
  private static func withTemporaryPath<Value>(
    beside file: String,
    _ body: (String) throws -> Value
  ) throws -> Value {
    let path = temporaryPath(file)
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    return try body(path)
  }

  // MARK: Making

  /// Makes a snapshot on another thread, if one is due.
  func makeSnapshotIfDue() {
    guard options.snapshots != nil else { return }
    let isDue = state.withLock { state in
      guard state.isPrimary, !state.isMakingSnapshot, !state.isClosed else { return false }
      let last = state.snapshot?.position.sequence ?? 0
      let isDue =
        state.neededSnapshot != nil
        || state.place.position.sequence - last >= Int64(options.entriesPerSnapshot)
      state.isMakingSnapshot = isDue
      return isDue
    }
    guard isDue else { return }
    DispatchQueue.global().async {
      do {
        _ = try self.makeSnapshot()
      } catch {
        self.note(error, isOfLog: false)
      }
      self.update { $0.isMakingSnapshot = false }
    }
  }

  /// Copies the file, keeps the copy, checks what was kept, and trims the log.
  ///
  /// - Returns: The last entry in the snapshot.
  func makeSnapshot() throws -> LogPosition {
    guard let store = options.snapshots else {
      throw ReplicationError.snapshotNeeded(after: .start)
    }
    let name = try Node.withTemporaryPath(beside: pool.path) { path in
      let snapshot = try SnapshotFile.make(from: pool, at: path)
      let name = SnapshotName(snapshot.place)
      try Node.waiting { try await store.put(path, name.text) }
      return name
    }
    // Only what was read again may replace entries of the log.
    try Node.withTemporaryPath(beside: pool.path) { path in
      try Node.waiting { try await store.get(name.text, path) }
      _ = try SnapshotFile.verify(path, name, log)
    }
    update { state in
      state.snapshot = (name.position, Node.now)
      if let needed = state.neededSnapshot, needed <= name.position {
        state.neededSnapshot = nil
      }
    }
    try trim(below: name)
    try forgetOldSnapshots(store, before: name)
    return name.position
  }

  private func trim(below snapshot: SnapshotName) throws {
    let first = snapshot.position.sequence - Int64(max(1, options.keptEntries))
    do throws(ReplicationLogError) {
      if first > 0 { try log.trim(below: LogPosition(first)) }
      let size = try log.usage().bytesInUse
      update { $0.logSize = size }
    } catch {
      throw ReplicationError.log(error)
    }
  }

  /// Keeps the newest two snapshots: a node may just fetch the older one.
  private func forgetOldSnapshots(_ store: SnapshotStore, before name: SnapshotName) throws {
    let names = try Node.waiting { try await store.names() }
    let older = names.compactMap { SnapshotName($0, of: name.database) }
      .filter { $0.position < name.position }
      .sorted { $0.position > $1.position }
    for old in older.dropFirst() { try Node.waiting { try await store.remove(old.text) } }
  }

  // MARK: Taking

  /// Keeps a copy of what only this file has, before a snapshot replaces it.
  func keepForeignContent() throws {
    guard let error = state.withLock({ $0.damage?.error }) else { return }
    let name: String
    switch error {
    case .foreignWrite: name = "foreign"
    case .otherSurvivor: name = "discarded"
    default: return
    }
    let path = "\(pool.path)-\(name)-\(Node.now)"
    _ = try SnapshotFile.make(from: pool, at: path)
    update { $0.lastError = "\(error) A copy of it is \(path)." }
  }

  /// Notes in the file that it must be replaced, unless only its entries are missing from the log.
  func noteDamageInFile() throws {
    guard let damage = state.withLock({ $0.damage }) else { return }
    if case .snapshotNeeded = damage.error { return }
    try withoutRecording { file in
      guard try ReplicationTable.damage(file.db) == nil else { return }
      // Whatever others have written, the file is damaged.
      try file.adoptForeignCommits()
      try file.write { db in
        try ReplicationTable.noteDamage(damage.error.description, db)
        return .commit
      }
    }
  }

  /// Replaces the content of the file by the newest snapshot.
  ///
  /// - Parameter position: The first entry that the snapshot must contain.
  /// - Returns: Whether there was such a snapshot.
  /// - Throws: ``ReplicationError``, or what the store throws. The file is as it was then.
  func takeSnapshot(atLeast position: LogPosition) throws -> Bool {
    let database = state.withLock { $0.place.database }
    guard let store = options.snapshots else { return false }
    let taken: Void? = try Node.withSnapshot(
      of: database,
      atLeast: position,
      store,
      log,
      beside: pool.path
    ) { snapshot in
      try keepForeignContent()
      let (beginnings, outbox) = try withoutRecording { file in
        try snapshot.install(in: file.db)
        recorder.forgetFailure()
        try file.adoptForeignCommits()
        return (try ReplicationTable.epochs(file.db), try Outbox.count(file.db))
      }
      update { state in
        state.place = snapshot.place
        state.epochs = beginnings.beginnings
        state.primaryAddress = beginnings.address
        state.outbox = outbox
        state.snapshot = (snapshot.place.position, Node.now)
      }
    }
    return taken != nil
  }

  /// Fetches and checks the newest snapshot.
  ///
  /// - Returns: What the closure returns; `nil` if there is no snapshot.
  static func withSnapshot<Value>(
    of database: DatabaseID,
    atLeast position: LogPosition,
    _ store: SnapshotStore,
    _ log: any ReplicationLog,
    beside file: String,
    _ body: (SnapshotFile) throws -> Value
  ) throws -> Value? {
    let names = try waiting { try await store.names() }
    let newest = names.compactMap { SnapshotName($0, of: database) }
      .filter { $0.position >= position }
      .max { $0.position < $1.position }
    guard let newest else { return nil }
    return try withTemporaryPath(beside: file) { path in
      try waiting { try await store.get(newest.text, path) }
      return try body(try SnapshotFile.verify(path, newest, log))
    }
  }

  /// Waits on the calling thread for a closure of a store.
  static func waiting<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let result = Lock(Result<Value, any Error>?.none)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        let value = try await body()
        result.withLock { $0 = .success(value) }
      } catch {
        result.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let result = result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
