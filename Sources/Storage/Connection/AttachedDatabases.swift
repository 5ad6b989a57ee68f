internal import CWellspringSQLite
internal import WellspringSystem

/// The databases that are attached to a connection.
package struct AttachedDatabases {
  private let connection: OpaquePointer

  init(connection: OpaquePointer) {
    self.connection = connection
  }

  // In SQLite's list, 0 is `main` and 1 is `temp`.
  private static let firstIndex: Int32 = 2

  /// Whether no database is attached.
  package var isEmpty: Bool { sqlite3_db_name(connection, Self.firstIndex) == nil }

  /// The schema names of the attached databases.
  var names: [String] {
    var names: [String] = []
    var index = Self.firstIndex
    while let name = sqlite3_db_name(connection, index) {
      names.append(String(cString: name))
      index += 1
    }
    return names
  }

  /// The paths of the attached databases that have a file.
  var files: [String] {
    names.compactMap { name in
      guard let path = sqlite3_db_filename(connection, name) else { return nil }
      return path.pointee == 0 ? nil : String(cString: path)
    }
  }
}

extension Database {
  /// The databases that are attached to this connection.
  package var attached: AttachedDatabases { AttachedDatabases(connection: sqliteConnection) }
}

extension Database {
  /// Adds another database to this connection, whose tables are `name.table`.
  ///
  ///     configuration.prepareDatabase { db in
  ///       try db.attach("/var/lib/shop/archive.sqlite", as: "archive")
  ///     }
  ///     // ATTACH DATABASE '/var/lib/shop/archive.sqlite' AS 'archive'
  ///
  /// A database is attached to a single connection. Each reader of a pool is a separate connection:
  /// to make an attached database visible to all of them, attach it in
  /// ``Configuration/prepareDatabase(_:)``. A database that a `write` attaches is visible to the
  /// later writes of the pool until it is detached. In WAL mode, a transaction that writes several
  /// databases is atomic for each database, but not for all of them together.
  ///
  /// - Parameters:
  ///   - path: A file. It is created when it does not exist and the connection can write.
  ///   - name: The name of the schema: not `main` or `temp`.
  /// - Throws: ``DatabaseError``.
  public func attach(_ path: String, as name: String) throws {
    try attach(.file(path), as: name)
  }

  /// Adds another database to this connection, whose tables are `name.table`: see
  /// ``attach(_:as:)-(String,_)``.
  ///
  /// - Throws: ``DatabaseError``.
  public func attach(_ location: DatabaseLocation, as name: String) throws {
    let location = location.resolved
    try location.requireRegularFile()
    let statement = try makeStatement(sql: "ATTACH DATABASE ? AS ?")
    try FileOpenings.opening { try statement.execute(arguments: [location.sqliteName, name]) }
  }

  /// Detaches a database from this connection.
  ///
  /// - Throws: ``DatabaseError`` when no attached database has that name, or when it is in use.
  public func detach(_ name: String) throws {
    // Statements that are kept for reuse may still use the database.
    releaseStatements()
    try makeStatement(sql: "DETACH DATABASE ?").execute(arguments: [name])
  }
}
