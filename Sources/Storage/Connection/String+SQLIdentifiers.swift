extension String {
  /// The string with its ASCII letters in lower case and all other characters unchanged: the form
  /// in which SQLite compares names.
  // Some 300 places call it: a copy in each would be 80 KB of code.
  @inline(never)
  var asciiLowercased: String {
    guard utf8.contains(where: { $0 >= 65 && $0 <= 90 }) else { return self }
    return String(decoding: utf8.map { $0 >= 65 && $0 <= 90 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The string as a quoted SQL identifier, with inner quotes doubled.
  public var quotedDatabaseIdentifier: String {
    guard utf8.contains(UInt8(ascii: "\"")) else { return "\"\(self)\"" }
    return "\"\(replacingScalar("\"", with: "\"\""))\""
  }
}
