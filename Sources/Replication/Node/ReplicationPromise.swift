/// When a write returns.
public enum ReplicationPromise: Hashable, Sendable {
  /// When the log has it. A node never takes back content that it has shown, and a write costs a
  /// round trip.
  case logged

  /// When the file of the primary has it. It is in the log a little later.
  ///
  /// A write does not wait for the log. When the primary ends before the log has a commit, and
  /// another node takes over, that commit is discarded: the primary writes it to a file beside its
  /// own, and says so in ``ReplicationStatus/discardedCommits``. Until the log has a commit, only
  /// the primary shows it.
  case local
}
