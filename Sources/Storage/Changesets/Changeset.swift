internal import CWellspringSQLite
public import Foundation

/// What has changed in tables with a primary key, as SQLite's session extension keeps it: each row with
/// its values before and after.
///
///     let changeset = try pool.write { db in
///       try db.recordChangeset {
///         try db.execute(sql: "UPDATE item SET price = 5 WHERE id = 1")
///       }
///     }
///     try pool.write { db in try db.apply(changeset: changeset.inverted()) }  // undone
///
/// It holds one change for each row, from its state at the beginning of the recording to that at the
/// end. A changeset is a value: it belongs to no connection and can be stored, sent to another machine
/// and applied there. https://www.sqlite.org/sessionintro.html
public struct Changeset: Hashable, Sendable {
  /// SQLite's format. https://www.sqlite.org/session/changeset_start.html
  public let data: Data

  /// Makes a changeset of bytes in SQLite's format, as from ``data``. They are checked when the changeset
  /// is used.
  public init(data: Data = Data()) {
    self.data = data
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { data.isEmpty }

  /// The changeset that undoes this one.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the data is no changeset.
  public func inverted() throws -> Changeset {
    try Changeset.made { count, bytes in
      withBytes { sqlite3changeset_invert($0, $1, count, bytes) }
    }
  }

  /// This changeset and then the other one, as one: with one change for each row.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the data of one is no changeset, or with
  ///   `SQLITE_SCHEMA` when a table has other columns in the other one.
  public func concatenated(with other: Changeset) throws -> Changeset {
    try Changeset.made { count, bytes in
      withBytes { first, start in
        other.withBytes { second, otherStart in
          sqlite3changeset_concat(first, start, second, otherStart, count, bytes)
        }
      }
    }
  }

  /// A changeset that a function of SQLite makes.
  static func made(
    by make: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32
  ) throws -> Changeset {
    var count: Int32 = 0
    var bytes: UnsafeMutableRawPointer?
    let code = make(&count, &bytes)
    defer { sqlite3_free(bytes) }
    guard code == SQLITE_OK else { throw DatabaseError(code: code, connection: nil) }
    guard let bytes, count > 0 else { return Changeset() }
    return Changeset(data: Data(bytes: bytes, count: Int(count)))
  }

  /// SQLite takes changesets as mutable bytes, and leaves them as they are.
  func withBytes<Result>(
    _ body: (_ count: Int32, UnsafeMutableRawPointer?) throws -> Result
  ) rethrows -> Result {
    try data.withUnsafeBytes { bytes in
      try body(Int32(clamping: bytes.count), UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }
}
