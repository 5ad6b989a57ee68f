internal import CWellspringSQLite

/// A table, an index, a view or a trigger of a schema.
public struct SchemaObject: Hashable, Sendable, FetchableRecord {
  /// The kinds of schema objects.
  public enum Kind: String, Sendable {
    /// A table, possibly virtual.
    case table
    /// An index.
    case index
    /// A view.
    case view
    /// A trigger.
    case trigger
  }

  /// The kind of the object.
  public let kind: Kind

  /// The name of the object. U+FFFD replaces bytes that are not UTF-8, here and in the other texts.
  public let name: String

  /// The table or view that the object belongs to; for a table or a view, its own name.
  public let tableName: String

  /// The statement that created the object; `nil` for an index that SQLite created for a
  /// constraint.
  public let sql: String?

  /// Whether ``sql`` may differ from the bytes in the file, so that it must not be run.
  var mayBeRepaired: Bool { sql?.mayBeRepaired ?? false }

  /// Decodes a row of SQLite's schema table.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT` when the row has an unknown kind, and
  ///   ``RowDecodingError`` when it has no name.
  public init(row: Row) throws {
    let type = row.schemaText("type") ?? ""
    sql = row.schemaText("sql")
    // SQLite itself goes by the statement.
    guard let kind = Kind(rawValue: type.asciiLowercased) ?? sql.flatMap(Kind.init(creating:))
    else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "unknown kind of schema object: \(type)"
      )
    }
    self.kind = kind
    name = try row.schemaText("name") ?? row.decode(forColumn: "name")
    tableName = try row.schemaText("tbl_name") ?? row.decode(forColumn: "tbl_name")
  }
}

extension SchemaObject.Kind {
  /// The kind of object that a statement of the schema creates.
  fileprivate init?(creating sql: String) {
    let words = sql.split(maxSplits: 3, whereSeparator: \.isWhitespace).prefix(3)
    guard words.first?.lowercased() == "create",
      let kind = words.dropFirst().lazy.compactMap({ Self(rawValue: $0.lowercased()) }).first
    else { return nil }
    self = kind
  }
}

extension SchemaObject {
  /// The statement that created the object, with the semicolon that ends it; `nil` for an index
  /// that SQLite created for a constraint.
  public var statement: String? { sql.map(Self.statement) }

  /// Returns SQL with the semicolon that ends it.
  ///
  /// The SQL of a view or an index may end with a comment, and a semicolon would belong to it. In a
  /// hostile file, further statements may follow, which SQLite does not read: they are left out, so
  /// that a program that runs the dump does not run them.
  static func statement(_ sql: String) -> String {
    let bytes = Array(sql.utf8)
    for (place, byte) in bytes.enumerated() where byte == UInt8(ascii: ";") {
      let start = String(decoding: bytes[...place], as: UTF8.self)
      if sqlite3_complete(start) != 0 { return start }
    }
    let candidates = ["", "\n", "*/"].map { "\(sql)\($0);" }
    return candidates.first { sqlite3_complete($0) != 0 } ?? candidates[0]
  }
}
