internal import Storage

extension SnapshotFile {
  /// How many entries are read and repeated at once.
  private static let batchCount = 512

  /// Repeats the entries of a log after the snapshot, in its file.
  ///
  /// A node whose file is damaged takes the result. It need not wait for the next snapshot then.
  ///
  /// - Parameters:
  ///   - position: The first entry that the result must contain.
  ///   - log: The log. It has the entry.
  /// - Returns: A snapshot of that place or a later one; `nil` if a step before it cannot be
  ///   repeated.
  /// - Throws: ``ReplicationError``, or `DatabaseError`.
  func continued(
    through position: LogPosition,
    by log: any ReplicationLog
  ) throws -> SnapshotFile? {
    guard place.position < position else { return self }
    do {
      var last = place
      let pool = try DatabasePool(path: path, configuration: configuration)
      defer { try? pool.close() }
      let file = ReplicaFile(pool: pool) { try Node.apply($0, $1) }
      var follower = LogFollower(log, from: place)
      while last.position < position {
        let start = follower.history.last.position
        let steps = try follower.next(limit: Self.batchCount, waitingUpTo: .zero)
        // The remaining parts of a transaction may never come.
        guard follower.history.last.position > start else { return nil }
        guard let step = steps.last else { continue }
        try file.apply(steps)
        try pool.read { db in try Self.check(db, against: step.entry.fingerprint) }
        last = step.place
      }
      return SnapshotFile(path: path, place: last, configuration: configuration)
    } catch ReplicationError.diverged, ReplicationError.snapshotNeeded,
      ReplicationError.otherSurvivor
    {
      return nil
    }
  }

  private static func check(_ db: Database, against fingerprint: [UInt8]) throws {
    // Commits that the log does not have yet may have changed the schema.
    guard try Outbox.count(db) == 0, !fingerprint.isEmpty else { return }
    guard try SchemaFingerprint(db).bytes == fingerprint else {
      throw ReplicationError.diverged("its schema is not the primary's")
    }
  }
}
