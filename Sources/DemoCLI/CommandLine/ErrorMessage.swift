internal import Storage

/// A command line that makes no sense.
struct UsageError: Error, Equatable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// A failure of this tool itself, in a sentence for the user.
struct ToolError: Error, Equatable {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}

/// Says in one line what went wrong.
enum ErrorMessage {
  /// The text for an error.
  ///
  /// When the error is about a database file, that begins the text, unless the error names it
  /// already.
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
