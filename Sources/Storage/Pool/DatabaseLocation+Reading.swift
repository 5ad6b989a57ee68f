extension DatabaseLocation {
  /// Opens a connection that reads a database beside the connection that writes it.
  ///
  /// - Parameters:
  ///   - configuration: How to open it.
  ///   - role: What the connection is for.
  ///   - place: Where the file must be; `nil` when there is no file.
  /// - Returns: The connection.
  /// - Throws: ``DatabaseError``, with `SQLITE_READONLY_DBMOVED` when the file is no longer at its
  ///   path.
  func openReader(
    _ configuration: Configuration,
    _ role: Database.Role,
    in place: FilePlace?
  ) throws -> Database {
    guard let place else {
      return try Database(location: self, configuration: configuration, role: role)
    }
    return try place.open { didOpen in
      try Database(location: self, configuration: configuration, role: role, didOpen: didOpen)
    }
  }
}
