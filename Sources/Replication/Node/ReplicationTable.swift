internal import Foundation
internal import Storage

/// The table `_replication` of a replicated file: the last entry whose rows are in the file.
///
/// It has one row, which is written in the transaction of those rows. So a file that was copied,
/// restored or cut off by a power failure knows its place.
enum ReplicationTable {
  /// Makes the table.
  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS _replication (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          database BLOB NOT NULL,
          sequence INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          "commit" INTEGER NOT NULL,
          hash BLOB NOT NULL
        );
        CREATE TABLE IF NOT EXISTS _replication_epoch (
          epoch INTEGER PRIMARY KEY,
          sequence INTEGER NOT NULL,
          address TEXT NOT NULL
        );
        CREATE TABLE IF NOT EXISTS _replication_damage (reason TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS _replication_genesis (entry BLOB NOT NULL);
        CREATE TABLE IF NOT EXISTS _replication_outbox (
          id INTEGER PRIMARY KEY,
          body BLOB NOT NULL,
          fingerprint BLOB NOT NULL,
          reason TEXT,
          before TEXT NOT NULL
        );
        """
    )
  }

  /// Notes that the content of the file does not match its place, until a snapshot replaces it.
  ///
  /// The kind of the damage is in a second row: it tells whether only this file has some content.
  static func noteDamage(_ error: ReplicationError, _ db: Database) throws {
    let insertion = "INSERT INTO _replication_damage VALUES (?)"
    try db.execute(sql: insertion, arguments: [error.description])
    switch error {
    case .foreignWrite: try db.execute(sql: insertion, arguments: ["foreign"])
    case .otherSurvivor(let position):
      try db.execute(sql: insertion, arguments: ["survivor \(position.sequence)"])
    case .snapshotNeeded(let position):
      try db.execute(sql: insertion, arguments: ["lacks \(position.sequence)"])
    default: break
    }
  }

  /// Returns why the content of the file does not match its place; `nil` if it does.
  static func damage(_ db: Database) throws -> ReplicationError? {
    let texts = try String.fetchAll(
      db,
      sql: "SELECT reason FROM _replication_damage ORDER BY rowid LIMIT 2"
    )
    guard let reason = texts.first else { return nil }
    let kind = texts.dropFirst().first?.split(separator: " ") ?? []
    switch kind.first {
    case "foreign": return .foreignWrite
    case "survivor" where kind.count == 2:
      return Int64(kind[1]).map { .otherSurvivor(LogPosition($0)) } ?? .diverged(reason)
    case "lacks" where kind.count == 2:
      return Int64(kind[1]).map { .snapshotNeeded(after: LogPosition($0)) } ?? .diverged(reason)
    default: return .diverged(reason)
    }
  }

  /// Notes that the content of the file matches its place.
  static func forgetDamage(_ db: Database) throws {
    try db.execute(sql: "DELETE FROM _replication_damage")
  }

  // MARK: The beginning

  /// Returns whether a file has no tables but those of this library.
  static func isAlone(_ db: Database) throws -> Bool {
    try Bool.fetchOne(
      db,
      sql: """
        SELECT NOT EXISTS (SELECT 1 FROM main.sqlite_schema
          WHERE lower(tbl_name) NOT LIKE '\\_replication%' ESCAPE '\\')
        """
    ) ?? false
  }

  /// Notes the first entry that this file is about to begin a history with: until a snapshot was
  /// made, only this file has the content of the beginning.
  static func write(genesis: [UInt8], _ db: Database) throws {
    try forgetGenesis(db)
    try db.execute(sql: "INSERT INTO _replication_genesis VALUES (?)", arguments: [Data(genesis)])
  }

  /// Returns the first entry, if only this file has the content of the beginning.
  static func genesis(_ db: Database) throws -> [UInt8]? {
    // Files and snapshots of 0.2.0 have no such table.
    guard try db.tableExists("_replication_genesis") else { return nil }
    return try Data.fetchOne(db, sql: "SELECT entry FROM _replication_genesis").map(Array.init)
  }

  /// Notes that a snapshot has the content of the beginning.
  static func forgetGenesis(_ db: Database) throws {
    guard try db.tableExists("_replication_genesis") else { return }
    try db.execute(sql: "DELETE FROM _replication_genesis")
  }

  // MARK: Epochs and the place

  /// Deletes the epochs that began at a position or later.
  static func forgetEpochs(from position: LogPosition, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM _replication_epoch WHERE sequence >= ?",
      arguments: [position.sequence]
    )
  }

  /// Notes where an epoch begins, and who is its primary.
  static func begin(
    _ epoch: Int64,
    at position: LogPosition,
    address: String,
    _ db: Database
  ) throws {
    try db.execute(
      sql: "INSERT OR REPLACE INTO _replication_epoch (epoch, sequence, address) VALUES (?, ?, ?)",
      arguments: [epoch, position.sequence, address]
    )
  }

  /// Reads where the epochs begin, and the address of the last primary.
  static func epochs(_ db: Database) throws -> (beginnings: EpochBeginnings, address: String?) {
    var beginnings = EpochBeginnings()
    var address: String?
    let rows = try Row.fetchCursor(
      db,
      sql: "SELECT epoch, sequence, address FROM _replication_epoch ORDER BY epoch"
    )
    while let row = try rows.next() {
      beginnings.begin(row[0], at: LogPosition(max(0, row[1] as Int64)))
      address = row[2]
    }
    return (beginnings, address)
  }

  /// Writes the place of the file.
  static func write(_ place: HistoryPosition, _ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO _replication (id, database, sequence, epoch, "commit", hash)
        VALUES (1, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET database = excluded.database, sequence = excluded.sequence,
          epoch = excluded.epoch, "commit" = excluded."commit", hash = excluded.hash
        """
    )
    try statement.execute(arguments: [
      Data(place.database.bytes), place.position.sequence, place.epoch, place.commit,
      Data(place.hash.bytes),
    ])
  }

  /// Reads the place of the file.
  ///
  /// - Returns: `nil` if the file is not replicated yet.
  static func read(_ db: Database) throws -> HistoryPosition? {
    guard try db.tableExists("_replication") else { return nil }
    let row = try Row.fetchOne(
      db,
      sql: #"SELECT database, sequence, epoch, "commit", hash FROM _replication"#
    )
    guard let row else { return nil }
    return try place(row)
  }

  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` if the row cannot have been written here.
  private static func place(_ row: Row) throws -> HistoryPosition {
    let identity: Data = try row.decode(forColumn: "database")
    let hash: Data = try row.decode(forColumn: "hash")
    let sequence: Int64 = try row.decode(forColumn: "sequence")
    guard let identity = DatabaseID(bytes: identity), let hash = EntryHash(bytes: hash),
      sequence > 0
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the table _replication was not written by this library: take a snapshot"
      )
    }
    return HistoryPosition(
      database: identity,
      position: LogPosition(sequence),
      epoch: try row.decode(forColumn: "epoch"),
      commit: try row.decode(forColumn: "commit"),
      hash: hash
    )
  }
}
