extension FTS3 {
  /// Returns the tokens of a text.
  ///
  ///     try FTS3.tokenize("SQLite's database", withTokenizer: .porter)
  ///     // ["sqlite", "s", "databas"]
  ///
  /// - Throws: ``DatabaseError`` when there is no such tokenizer.
  public static func tokenize(
    _ text: String,
    withTokenizer tokenizer: FTS3TokenizerDescriptor = .simple
  ) throws -> [String] {
    try DatabaseQueue().writeWithoutTransaction { db in
      let words = ([tokenizer.name] + tokenizer.arguments).map(\.databaseValue.sqlLiteral)
      try db.execute(
        sql: "CREATE VIRTUAL TABLE tokens USING fts3tokenize(\(words.joined(separator: ", ")))"
      )
      return try String.fetchAll(
        db,
        sql: "SELECT token FROM tokens WHERE input = ? ORDER BY position",
        arguments: [text]
      )
    }
  }
}
