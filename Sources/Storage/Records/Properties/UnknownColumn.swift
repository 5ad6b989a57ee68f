/// The names of columns that are not known. Such a name is not valid in SQL, and holds the message
/// of the error with which a statement fails.
enum UnknownColumn {
  // SQL text ends at a NUL, so no table has a column with this name.
  private static let mark: Character = "\0"

  /// Returns a name that holds a message.
  static func name(_ message: String) -> String { "\(mark)\(message)\(mark)" }

  /// Returns the error that a column, or an SQL text with columns, stands for.
  static func error(in text: String) -> DatabaseError? {
    guard text.utf8.contains(0), let start = text.firstIndex(of: mark) else { return nil }
    let rest = text[text.index(after: start)...]
    guard let end = rest.firstIndex(of: mark) else { return nil }
    return DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: rest[..<end].split(separator: "\"\"").joined(separator: "\"")
    )
  }
}
