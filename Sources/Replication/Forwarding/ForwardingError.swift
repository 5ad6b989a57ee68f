/// Why a write was not handed to the primary, or its outcome does not show.
///
/// An error of the write itself is a ``ForwardedWriteError``.
public enum ForwardingError: Error, Hashable, Sendable {
  /// No primary has taken the write in time. Nothing was written, and nothing will be. The text
  /// says why the last attempt failed.
  ///
  /// A `send` closure throws it too, if the request certainly has not left this machine.
  case notWritten(String)

  /// The primary does not accept such a request: the type of the write is unknown there, or the
  /// request is too large. Nothing was written, and a retry does not help.
  case notAccepted(String)

  /// The time is over, and the answer to an attempt was lost: the write may be made, now or later.
  /// The text says why the last attempt failed. A retry with the same ``WriteID`` writes nothing
  /// twice.
  case outcomeUnknown(String)

  /// The write is made and in the log. The node of the caller does not contain it yet, for the
  /// given reason.
  case notShown(WriteToken, because: ReplicationError)
}

extension ForwardingError: CustomStringConvertible {
  /// The error, and the next step of the caller.
  public var description: String {
    switch self {
    case .notWritten(let reason):
      "No primary has taken the write, and nothing was written: \(reason)"
    case .notAccepted(let reason): "The primary does not accept the write: \(reason)"
    case .outcomeUnknown(let reason):
      "The write may be made or not: retry it with the same id, or look. The last attempt: "
        + reason
    case .notShown(let token, let error):
      "The write is made, and this node does not show it: wait for token "
        + "\(token.epoch).\(token.sequence). \(error.description)"
    }
  }
}
