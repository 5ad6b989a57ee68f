internal import Foundation
internal import Storage

/// The table `wellspring_writes`: the ids and results of the forwarded writes of the last time.
///
/// It is an ordinary table, and its rows are in the transactions of their writes. So each node
/// knows which writes its file contains, also the node that becomes the primary next.
///
/// Rows are numbered in the order of their commits. Each names a place in the history that all rows
/// before it had reached. Row 0 has no write, and its place is the floor: the removed rows had
/// reached it. A write is behind the place that its caller has begun at. So a request that has
/// begun at the floor or later still has its row, if it was run, and an earlier one is refused.
enum WriteIDTable {
  static let name = "wellspring_writes"
  /// How many rows one write removes at most. Each write adds one row, and so many old rows stay.
  static let removedRows = 8

  /// Why a request cannot be looked up.
  struct TooLate: Error {}

  /// Returns the result of a write; `nil` if it was not run.
  ///
  /// - Throws: ``TooLate`` if the row of such a write may have been removed, or `DatabaseError`.
  static func result(of request: WriteRequest, _ db: Database) throws -> WriteResult? {
    guard try db.tableExists(name) else { return nil }
    let result = try db.cachedStatement(
      sql: "SELECT result FROM wellspring_writes WHERE id = ?"
    )
    if let bytes = try Data.fetchOne(result, arguments: [Data(request.id.bytes)]) {
      return try WriteResult(decoding: Array(bytes)[...])
    }
    if try request.begun.isBefore(place(ofRow: 0, db)) { throw TooLate() }
    return nil
  }

  /// Adds the result of a write, and removes some old rows.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - id: The id of the write.
  ///   - time: The time of the primary's clock, in milliseconds since 1970.
  ///   - oldest: The time before which rows are old.
  ///   - db: A connection inside the transaction of the write.
  /// - Throws: `DatabaseError`.
  static func add(
    _ result: WriteResult,
    of id: WriteID,
    at time: Int64,
    removingBefore oldest: Int64,
    _ db: Database
  ) throws {
    try create(db)
    let place = try presentPlace(db)
    let insertion = try db.cachedStatement(
      sql: """
        INSERT INTO wellspring_writes (id, result, time, epoch, sequence) VALUES (?, ?, ?, ?, ?)
        """
    )
    try insertion.execute(arguments: [
      Data(id.bytes), Data(result.encoded()), time, place.epoch, place.sequence,
    ])
    try removeRows(before: oldest, db)
  }

  private static func create(_ db: Database) throws {
    guard try !db.tableExists(name) else { return }
    try db.execute(
      sql: """
        CREATE TABLE wellspring_writes (
          number INTEGER PRIMARY KEY,
          id BLOB NOT NULL UNIQUE,
          result BLOB NOT NULL,
          time INTEGER NOT NULL,
          epoch INTEGER NOT NULL,
          sequence INTEGER NOT NULL
        );
        INSERT INTO wellspring_writes VALUES (0, x'', x'', 0, 0, 0);
        """
    )
  }

  /// Returns a place that the commits of all rows so far have reached.
  ///
  /// With ``ReplicationPromise/local``, commits may be in the file and not in the log yet. Then the
  /// place of the last row serves for the new one too.
  private static func presentPlace(_ db: Database) throws -> WriteToken {
    let statement = try db.cachedStatement(
      sql: """
        SELECT epoch, sequence FROM _replication
        WHERE NOT EXISTS (SELECT 1 FROM _replication_outbox)
        """
    )
    if let row = try Row.fetchOne(statement) { return WriteToken(row) }
    let last = try db.cachedStatement(
      sql: "SELECT epoch, sequence FROM wellspring_writes ORDER BY number DESC LIMIT 1"
    )
    return try Row.fetchOne(last).map(WriteToken.init) ?? WriteToken(epoch: 0, sequence: 0)
  }

  private static func place(ofRow number: Int64, _ db: Database) throws -> WriteToken {
    let statement = try db.cachedStatement(
      sql: "SELECT epoch, sequence FROM wellspring_writes WHERE number = ?"
    )
    let row = try Row.fetchOne(statement, arguments: [number])
    return row.map(WriteToken.init) ?? WriteToken(epoch: 0, sequence: 0)
  }

  /// Removes some of the first rows, when so many are old that it is worth it.
  ///
  /// It may raise the floor before, to the place of a later row that is old: then only requests
  /// that have begun before that row are refused.
  private static func removeRows(before oldest: Int64, _ db: Database) throws {
    let firstRows = try db.cachedStatement(
      sql: """
        SELECT epoch, sequence, number, time FROM wellspring_writes WHERE number > 0
        ORDER BY number LIMIT \(removedRows)
        """
    )
    let rows = try Row.fetchAll(firstRows).map { row in
      (place: WriteToken(row), number: row[2] as Int64, time: row[3] as Int64)
    }
    guard rows.count == removedRows, rows.allSatisfy({ $0.time < oldest }) else { return }
    let first = rows[0].place
    var floor = try place(ofRow: 0, db)
    if !first.isBefore(floor) {
      // The rows of one transaction have the same place.
      let later = rows.last { first.isBefore($0.place) }?.place
      guard let new = try later ?? oldPlace(after: first, before: oldest, db) else { return }
      try db.cachedStatement(
        sql: "UPDATE wellspring_writes SET epoch = ?, sequence = ? WHERE number = 0"
      )
      .execute(arguments: [new.epoch, new.sequence])
      floor = new
    }
    guard let last = rows.last(where: { $0.place.isBefore(floor) }) else { return }
    try db.cachedStatement(sql: "DELETE FROM wellspring_writes WHERE number BETWEEN 1 AND ?")
      .execute(arguments: [last.number])
  }

  /// Returns the first place after another one, if its row is old.
  private static func oldPlace(
    after place: WriteToken,
    before oldest: Int64,
    _ db: Database
  ) throws -> WriteToken? {
    let statement = try db.cachedStatement(
      sql: """
        SELECT epoch, sequence, time FROM wellspring_writes
        WHERE number > 0 AND (epoch, sequence) > (?, ?) ORDER BY number LIMIT 1
        """
    )
    let row = try Row.fetchOne(statement, arguments: [place.epoch, place.sequence])
    guard let row, (row[2] as Int64) < oldest else { return nil }
    return WriteToken(row)
  }
}

extension WriteToken {
  /// Reads the first two columns of a row.
  fileprivate init(_ row: Row) { self.init(epoch: row[0], sequence: row[1]) }

  /// Whether the history has this place before another one.
  func isBefore(_ other: WriteToken) -> Bool {
    (epoch, sequence) < (other.epoch, other.sequence)
  }
}
