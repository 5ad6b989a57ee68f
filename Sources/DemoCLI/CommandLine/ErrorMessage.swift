internal import CommandLineSupport
internal import Storage

/// Describes errors in one line.
enum ErrorMessage {
  /// Says that a statement is not allowed.
  static let writes = "the statement writes: only a statement that reads is allowed"

  /// Returns the text for an error.
  ///
  /// If the error concerns a database file, the text starts with the file's name, unless the error
  /// already names the file.
  static func text(for error: any Error, file: String? = nil) -> String {
    let message =
      switch error {
      case let error as ToolError: error.message
      case let error as UsageError: error.message
      case let error as DatabaseError: error.message ?? "\(error)"
      default: "\(error)"
      }
    guard let file, !message.contains(file) else { return message }
    return "\(file): \(message)"
  }
}
