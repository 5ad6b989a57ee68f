public import Storage

/// The refusal of a forwarded write: its ``ForwardableWrite/write(_:)`` has thrown, or SQLite has
/// refused its transaction. Nothing was written.
///
/// The error is the same on the primary and on the other nodes. ``ForwardingError`` says that a
/// write could not be handed over instead.
public struct ForwardedWriteError: Error, Hashable, Sendable {
  /// The first 2,000 characters of the error's text.
  public let message: String

  /// The extended result code, if the error was a `DatabaseError`.
  public let resultCode: ResultCode?

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - message: The text.
  ///   - resultCode: The code, if SQLite has refused the write.
  public init(_ message: String, resultCode: ResultCode? = nil) {
    self.message = message
    self.resultCode = resultCode
  }

  /// Makes the refusal that an error of a write means.
  init(_ error: any Error) {
    let refusal = error as? ForwardedWriteError
    let text = refusal?.message ?? "\(error)"
    self.init(
      String(text.prefix(2_000)),
      resultCode: refusal?.resultCode ?? (error as? DatabaseError)?.extendedResultCode
    )
  }
}

extension ForwardedWriteError: CustomStringConvertible {
  /// The error of the write.
  public var description: String { "The write was refused: \(message)" }
}
