internal import WellspringPlatform

extension Database {
  /// Adds another database to this connection, whose tables are `name.table`.
  ///
  ///     configuration.prepareDatabase { db in
  ///       try db.attach("/var/lib/shop/archive.sqlite", as: "archive")
  ///     }
  ///     // ATTACH DATABASE '/var/lib/shop/archive.sqlite' AS 'archive'
  ///
  /// A database is attached to one connection. The readers of a pool are connections of their own: attach
  /// in ``Configuration/prepareDatabase(_:)``, which runs on all of them, what they shall see. What a
  /// `write` attaches, the later writes of the pool see, until it is detached. A transaction that writes
  /// several databases in WAL mode is atomic for each of them.
  ///
  /// - Parameters:
  ///   - path: A file, which is created when it does not exist and the connection can write.
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
    try makeStatement(sql: "ATTACH DATABASE ? AS ?")
      .execute(arguments: [location.resolved.sqliteName, name])
  }

  /// Takes an attached database off this connection.
  ///
  /// - Throws: ``DatabaseError``, when there is none of that name, or when it is in use.
  public func detach(_ name: String) throws {
    // Statements that are kept for reuse may hold the database.
    releaseStatements()
    try makeStatement(sql: "DETACH DATABASE ?").execute(arguments: [name])
  }
}
