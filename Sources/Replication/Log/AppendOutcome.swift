/// The outcome of an append.
public enum AppendOutcome: Hashable, Sendable {
  /// The entry is in the log, and durable.
  case appended(LogPosition)

  /// The entry is not in the log and never will be, because the log has another end than the
  /// writer expected.
  case conflict(tail: LogPosition)

  /// The engine did not say whether the entry is in the log. The text says why.
  ///
  /// Only the log can tell: the entry is in it or not, and as long as no other entry has its
  /// position, it may still arrive.
  case unknown(String)
}
