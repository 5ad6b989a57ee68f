extension Row {
  /// Returns a name or a statement from the schema, in which U+FFFD replaces bytes that are not
  /// UTF-8, as it does in the names that SQLite's hooks give; `nil` if the value is not a text.
  ///
  /// SQLite takes any bytes for a name or a comment, so such a schema is not damaged.
  package func schemaText(_ column: String) -> String? {
    switch (self[column] as DatabaseValue).storage {
    case .string(let text): text
    case .blob(let data): String(decoding: data, as: UTF8.self)
    case .null, .int64, .double: nil
    }
  }
}

extension String {
  /// Whether a name from the schema may have bytes that are not UTF-8, so that it cannot be bound
  /// to find the table, and may stand for several ones.
  var mayBeRepaired: Bool { unicodeScalars.contains("\u{FFFD}") }
}
