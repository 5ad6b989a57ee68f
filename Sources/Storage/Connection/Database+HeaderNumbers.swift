extension Database {
  /// Returns those numbers in the file headers of all databases of the connection that a statement
  /// can change without changing a row.
  func headerNumbers() throws -> [Int64] {
    try (["main"] + attached.names).flatMap { name in
      try ["schema_version", "user_version", "application_id"].map { number in
        try Int64.fetchOne(self, sql: "PRAGMA \(name.quotedDatabaseIdentifier).\(number)") ?? 0
      }
    }
  }
}
