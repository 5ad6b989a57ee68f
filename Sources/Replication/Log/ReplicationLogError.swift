/// Why a call of a log failed.
public enum ReplicationLogError: Error, Hashable, Sendable {
  /// The engine cannot be reached, or has no majority. It may work again later.
  case unavailable(String)

  /// The next entry was removed by ``ReplicationLog/trim(below:)``. The reader needs a snapshot.
  case trimmed(first: LogPosition)

  /// The log ends before a position that it once had: the engine has lost entries, or it is
  /// another log.
  case lost(tail: LogPosition)

  /// The entry is larger than the engine allows.
  case tooLarge(bytes: Int, limit: Int)

  /// The engine has no space left for entries.
  case full(String)

  /// The log was closed.
  case closed

  /// The engine's answer makes no sense: it is not such an engine, or the log is damaged.
  case unexpected(String)

  /// Another log answers than before, such as an etcd that was made again, or restored as a new
  /// cluster.
  case anotherLog(String)

  /// One side does not accept the other's password or certificate. The configuration is wrong.
  case authentication(String)
}

extension ReplicationLogError: CustomStringConvertible {
  /// The error, and the next step of the caller.
  public var description: String {
    switch self {
    case .unavailable(let reason):
      "The log is unavailable: \(reason)"
    case .trimmed(let first):
      "The log begins with entry \(first): those before it were trimmed. Take a snapshot."
    case .lost(let tail):
      "The log ends with entry \(tail), but it had more: the engine has lost entries, or it is "
        + "another log."
    case .tooLarge(let bytes, let limit):
      "An entry of \(bytes) bytes is larger than the log's limit of \(limit) bytes."
    case .full(let reason):
      "The log is full: \(reason)"
    case .closed:
      "The log was closed."
    case .unexpected(let reason):
      "The log gave an unexpected answer: \(reason)"
    case .anotherLog(let reason):
      "Another log answers than before: \(reason)"
    case .authentication(let reason):
      "The log refused the connection, or was refused: \(reason)"
    }
  }
}
