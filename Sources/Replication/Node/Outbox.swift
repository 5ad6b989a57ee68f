internal import Foundation
internal import Storage

/// The table `_replication_outbox`: commits that are in the file, and that the log may not have.
///
/// A commit's row is written in its own transaction. It is removed in the transaction that writes
/// the place after it. So a file knows at each moment which commits its place does not contain.
enum Outbox {
  /// A commit that the log may not have.
  struct Commit: Hashable, Sendable {
    let number: Int64
    /// The recorded transaction in its binary form.
    let body: [UInt8]
    /// The schema after the commit.
    let fingerprint: [UInt8]
    /// Why the commit cannot be repeated; `nil` if it can.
    let snapshotReason: String?
    /// The rows that the commit has changed or deleted, as they were before it: a text for people.
    let rowsBefore: String

    fileprivate init(_ row: Row) {
      number = row[0]
      body = Array(row[1] as Data)
      fingerprint = Array(row[2] as Data)
      snapshotReason = row[3]
      rowsBefore = row[4]
    }
  }

  private static let selection =
    "SELECT id, body, fingerprint, reason, before FROM _replication_outbox"

  static func append(
    _ number: Int64,
    _ body: [UInt8],
    fingerprint: [UInt8],
    snapshotReason: String?,
    rowsBefore: String,
    _ db: Database
  ) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO _replication_outbox (id, body, fingerprint, reason, before)
        VALUES (?, ?, ?, ?, ?)
        """
    )
    try statement.execute(arguments: [
      number, Data(body), Data(fingerprint), snapshotReason, rowsBefore,
    ])
  }

  /// Returns the first commits, up to a number of bytes, but at least one if the outbox has any. A
  /// commit that cannot be repeated comes alone.
  static func first(count: Int, bytes: Int, _ db: Database) throws -> [Commit] {
    var commits: [Commit] = []
    var size = 0
    let rows = try Row.fetchCursor(
      db,
      sql: "\(selection) ORDER BY id LIMIT ?",
      arguments: [count]
    )
    while let row = try rows.next() {
      let commit = Commit(row)
      size += commit.body.count
      if !commits.isEmpty, size > bytes || commit.snapshotReason != nil { break }
      commits.append(commit)
      if commit.snapshotReason != nil { break }
    }
    return commits
  }

  /// Returns all commits.
  static func all(_ db: Database) throws -> [Commit] {
    var commits: [Commit] = []
    let rows = try Row.fetchCursor(db, sql: "\(selection) ORDER BY id")
    while let row = try rows.next() { commits.append(Commit(row)) }
    return commits
  }

  /// Returns the numbers of the first commit and the last commit; `nil` if the outbox is empty.
  static func numbers(_ db: Database) throws -> ClosedRange<Int64>? {
    let row = try Row.fetchOne(db, sql: "SELECT min(id), max(id) FROM _replication_outbox")
    guard let row, let first: Int64 = row[0], let last: Int64 = row[1] else { return nil }
    return first...last
  }

  static func count(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT count(*) FROM _replication_outbox") ?? 0
  }

  /// Removes commits that the log has.
  static func remove(through number: Int64, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM _replication_outbox WHERE id <= ?", arguments: [number])
  }
}
