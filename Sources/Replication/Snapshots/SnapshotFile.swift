internal import Foundation
internal import Storage

/// A copy of a node's file, under a temporary name.
struct SnapshotFile {
  let path: String
  /// The place of its content.
  let place: HistoryPosition
  /// The configuration of connections to it, which have the functions and collations of the schema.
  let configuration: Configuration

  /// Copies the file of a node while writes continue.
  ///
  /// - Throws: `DatabaseError`, or ``ReplicationError/notReplicated``.
  static func make(from pool: DatabasePool, at path: String) throws -> SnapshotFile {
    let copy = try DatabaseQueue(path: path)
    defer { try? copy.close() }
    try pool.read { from in
      try copy.writeWithoutTransaction { to in
        // One step, because a later one could see a later commit.
        try from.backup(to: to)
        try ReplicationTable.forgetGenesis(to)
        // The copy is one file.
        try to.execute(sql: "PRAGMA journal_mode = DELETE")
      }
    }
    guard let place = try copy.read(ReplicationTable.read) else {
      throw ReplicationError.notReplicated
    }
    return SnapshotFile(path: path, place: place, configuration: pool.configuration.forCopies)
  }

  /// Checks a file that was fetched.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - name: The name under which it was kept.
  ///   - log: The log, whose entry at the place of the snapshot must be the snapshot's.
  ///   - pool: The file of the node, whose connections have the functions and collations of the
  ///     schema.
  /// - Returns: The snapshot.
  /// - Throws: ``ReplicationError/damagedSnapshot(_:)``, or ``ReplicationError/log(_:)``.
  static func verify(
    _ path: String,
    _ name: SnapshotName,
    _ log: any ReplicationLog,
    for pool: DatabasePool
  ) throws -> SnapshotFile {
    let configuration = pool.configuration.forCopies
    let (place, fingerprint) = try content(path, name, configuration)
    let snapshot = SnapshotFile(path: path, place: place, configuration: configuration)
    guard place.database == name.database, place.position == name.position else {
      throw ReplicationError.damagedSnapshot("\(name.text) has another place in the history")
    }
    let found: [LogEntry]
    do throws(ReplicationLogError) {
      found = try log.entries(
        after: LogPosition(place.position.sequence - 1),
        limit: 1,
        waitingUpTo: .zero
      )
    } catch .trimmed {
      // The next entry names the hash of the place.
      return snapshot
    } catch {
      throw ReplicationError.log(error)
    }
    guard let entry = found.first.flatMap({ try? Entry.decode($0.bytes) }),
      entry.hash == place.hash,
      fingerprint == nil || entry.entry.fingerprint.isEmpty
        || entry.entry.fingerprint == fingerprint
    else {
      throw ReplicationError.damagedSnapshot("\(name.text) is not what the log has at its place")
    }
    return snapshot
  }

  private static func content(
    _ path: String,
    _ name: SnapshotName,
    _ configuration: Configuration
  ) throws -> (HistoryPosition, fingerprint: [UInt8]?) {
    do {
      var configuration = configuration
      configuration.readonly = true
      let file = try DatabaseQueue(path: path, configuration: configuration)
      defer { try? file.close() }
      return try file.read { db in
        let problem = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
        guard problem == "ok" else {
          throw ReplicationError.damagedSnapshot("\(name.text): \(problem ?? "no check")")
        }
        guard let place = try ReplicationTable.read(db) else {
          throw ReplicationError.damagedSnapshot("\(name.text) has no place in the history")
        }
        // Commits that the log did not have yet may have changed the schema.
        return (place, try Outbox.count(db) == 0 ? SchemaFingerprint(db).bytes : nil)
      }
    } catch let error as DatabaseError {
      throw ReplicationError.damagedSnapshot("\(name.text): \(error)")
    }
  }

  /// Replaces the content of a node's file, in one transaction: a file that is cut off meanwhile
  /// keeps its old content, and readers keep their snapshots.
  ///
  /// - Throws: `DatabaseError`. The file is as it was then.
  func install(in db: Database) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let copy = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? copy.close() }
    try copy.read { from in try from.backup(to: db) }
  }
}
