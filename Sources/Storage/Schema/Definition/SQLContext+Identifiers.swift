extension SQLContext {
  /// Appends quoted names in parentheses: `("a", "b")`.
  mutating func append(identifiers: [String]) {
    append("(\(identifiers.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
  }
}
