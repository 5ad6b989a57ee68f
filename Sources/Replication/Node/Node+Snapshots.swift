internal import Dispatch
internal import Foundation
internal import Storage
internal import WellspringSystem

extension Node {
  /// The longest pause after a snapshot that could not be made.
  private static let longestSnapshotPause = Duration.seconds(300)

  /// How the path of a copy begins that lies beside the file of a node.
  private static func copyPrefix(_ path: String) -> String { "\(path)-snapshot-" }

  /// Removes the copies that a node has left beside its file when it was killed.
  static func removeCopies(of path: String) {
    let prefix = URL(fileURLWithPath: copyPrefix(path))
    let directory = prefix.deletingLastPathComponent()
    let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
    for name in names ?? [] where name.hasPrefix(prefix.lastPathComponent) {
      // Nothing else has such a name.
      let unique = name.dropFirst(prefix.lastPathComponent.count).prefix(36)
      guard UUID(uuidString: String(unique)) != nil else { continue }
      try? FileManager.default.removeItem(at: directory.appendingPathComponent(name))
    }
  }

  /// Runs a closure with a path for a copy, which is removed afterwards.
  static func withTemporaryPath<Value>(
    beside file: String,
    _ body: (String) throws -> Value
  ) throws -> Value {
    let path = copyPrefix(file) + UUID().uuidString
    defer {
      for suffix in ["", "-wal", "-shm", "-journal"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    return try body(path)
  }

  /// Makes a snapshot on another thread, if one is due.
  func makeSnapshotIfDue() {
    guard options.snapshots != nil else { return }
    let (isDue, mustLook) = state.withLock { state in
      guard state.mayWrite, !state.isMakingSnapshot else {
        return (false, false)
      }
      // A store that refuses, or hangs, costs a copy of the file each time.
      guard MonotonicClock.now >= state.failedSnapshots.retryTime else { return (false, false) }
      let last = state.snapshot?.position.sequence ?? 0
      let isDue =
        state.neededSnapshot != nil
        || state.place.position.sequence - last >= Int64(options.entriesPerSnapshot)
      let mustLook = mustLookForRequests(&state)
      state.isMakingSnapshot = isDue || mustLook
      return (isDue, mustLook)
    }
    guard isDue || mustLook else { return }
    DispatchQueue.global().async(group: makingSnapshot) {
      do {
        let requests = try self.snapshotRequests()
        if isDue || !requests.isEmpty {
          _ = try self.makeSnapshot()
          try self.removeRequests(requests)
        }
        self.update { state in
          state.isMakingSnapshot = false
          state.failedSnapshots = (0, 0)
          state.isErrorOver = state.isErrorOver || !state.isErrorOfLog
        }
      } catch {
        if !self.isClosed { self.note(error, isOfLog: false) }
        self.update { state in
          state.isMakingSnapshot = false
          let pause = min(Self.longestSnapshotPause, .seconds(1 << state.failedSnapshots.count))
          let retryTime = MonotonicClock.now + pause.nanoseconds
          state.failedSnapshots = (min(10, state.failedSnapshots.count + 1), retryTime)
        }
      }
    }
  }

  /// Makes a snapshot, and trims the log, on another thread.
  ///
  /// - Throws: ``ReplicationError``, or the error of the store.
  func trimLog() async throws -> LogPosition {
    try await Promise<Result<LogPosition, any Error>>.value { promise in
      DispatchQueue.global().async(group: makingSnapshot) {
        promise.fulfil(
          Result {
            guard !self.isClosed else { throw ReplicationError.closed }
            return try self.makeSnapshot()
          }
        )
      }
    }.get()
  }

  /// Copies the file, keeps the copy, checks the kept copy, and trims the log.
  ///
  /// - Returns: The last entry in the snapshot.
  func makeSnapshot() throws -> LogPosition {
    guard let store = options.snapshots else {
      throw ReplicationError.snapshotNeeded(after: .start)
    }
    // A damaged file does not have the content of its place.
    if let damage = state.withLock({ $0.machine.damage }) { throw damage.error }
    // The snapshot would have the place of the last commit otherwise, and the next one be due.
    if state.withLock({ $0.isPrimary }) { try writePlace() }
    let name = try Node.withTemporaryPath(beside: pool.path) { path in
      let snapshot = try SnapshotFile.make(from: pool, at: path)
      let name = SnapshotName(snapshot.place)
      try snapshotCalls.wait { try await store.put(path, name.text) }
      return name
    }
    // Only a snapshot that was read again may replace entries of the log.
    try Node.withTemporaryPath(beside: pool.path) { path in
      try snapshotCalls.wait { try await store.get(name.text, path) }
      _ = try SnapshotFile.verify(path, name, log, for: pool)
    }
    if try holdsBeginning {
      try withoutRecording { file in
        try file.write { db in
          try ReplicationTable.forgetGenesis(db)
          return .commit
        }
      }
    }
    update { $0.noteMadeSnapshot(name.position, at: Node.now) }
    try trim(below: name)
    try forgetOldSnapshots(store, before: name)
    return name.position
  }

  private func trim(below snapshot: SnapshotName) throws {
    let first = snapshot.position.sequence - Int64(max(1, options.keptEntries))
    let size = try ReplicationError.asking { () throws(ReplicationLogError) in
      if first > 0 { try log.trim(below: LogPosition(first)) }
      return try log.usage().bytesInUse
    }
    update { $0.logSize = size }
  }

  /// Keeps the newest two snapshots: a node may just fetch the older one.
  private func forgetOldSnapshots(_ store: SnapshotStore, before name: SnapshotName) throws {
    let names = try snapshotCalls.wait { try await store.names() }
    let older = names.compactMap { SnapshotName($0, of: name.database) }
      .filter { $0.position < name.position }
      .sorted { $0.position > $1.position }
    for old in older.dropFirst() {
      try snapshotCalls.wait { try await store.remove(old.text) }
    }
  }
}
