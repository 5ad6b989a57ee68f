internal import CWellspringSQLite
public import FoundationEssentials

/// The changes of tables with a primary key, as recorded by SQLite's session extension: the values
/// of each changed row before and after.
///
///     let changeset = try pool.write { db in
///       try db.recordChangeset {
///         try db.execute(sql: "UPDATE item SET price = 5 WHERE id = 1")
///       }
///     }
///     try pool.write { db in try db.apply(changeset: changeset.inverted()) }  // undone
///
/// A changeset holds one change for each changed row, from its state at the beginning of the
/// recording to its state at the end. A changeset is a value, independent of any connection: it can
/// be stored, sent to another machine and applied there. https://www.sqlite.org/sessionintro.html
public struct Changeset: Hashable, Sendable {
  /// The changeset in SQLite's format. https://www.sqlite.org/session/changeset_start.html
  public let data: Data

  /// Makes a changeset from bytes in SQLite's format, such as ``data``.
  ///
  /// The bytes are checked when the changeset is used.
  public init(data: Data = Data()) {
    self.data = data
  }

  /// Whether the changeset has no changes.
  public var isEmpty: Bool { data.isEmpty }

  /// Returns the changeset that undoes this one.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the data is not a changeset.
  public func inverted() throws -> Changeset {
    try checkStructure()
    return try Changeset.made { count, bytes in
      withBytes { sqlite3changeset_invert($0, $1, count, bytes) }
    }
  }

  /// Returns one changeset with the changes of this one and then of the other one.
  ///
  /// The result has one change for each row.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the data of one is not a changeset, or
  ///   with `SQLITE_SCHEMA` when the two have different columns for a table.
  public func concatenated(with other: Changeset) throws -> Changeset {
    try checkStructure()
    try other.checkStructure()
    return try Changeset.made { count, bytes in
      withBytes { first, start in
        other.withBytes { second, otherStart in
          sqlite3changeset_concat(first, start, second, otherStart, count, bytes)
        }
      }
    }
  }

  /// Returns the changeset that a function of SQLite makes.
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

  /// Calls a closure with the bytes. SQLite declares them mutable, but does not change them.
  func withBytes<Result>(
    _ body: (_ count: Int32, UnsafeMutableRawPointer?) throws -> Result
  ) rethrows -> Result {
    try data.withUnsafeBytes { bytes in
      try body(Int32(clamping: bytes.count), UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }
}
