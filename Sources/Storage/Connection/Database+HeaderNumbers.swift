extension Database {
  /// The numbers in the headers of all databases that a statement can change without changing a row.
  func headerNumbers() throws -> [Int64] {
    try (["main"] + pragmas.attachedNames).flatMap { name in
      try ["schema_version", "user_version", "application_id"].map { number in
        try Int64.fetchOne(self, sql: "PRAGMA \(name.quotedDatabaseIdentifier).\(number)") ?? 0
      }
    }
  }
}
