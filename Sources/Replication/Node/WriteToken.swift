/// A place in the history of a replicated database that a write has reached.
///
/// A node that contains the token contains the write. See ``ReplicationError/discardedToken(_:)``
/// for tokens of writes that a failover has discarded.
public struct WriteToken: Hashable, Sendable, Codable {
  /// The epoch of the primary that wrote.
  public let epoch: Int64
  /// The number of the entry in the log.
  public let sequence: Int64

  /// Makes a token of its parts, for instance from a cookie or a header.
  public init(epoch: Int64, sequence: Int64) {
    self.epoch = epoch
    self.sequence = sequence
  }
}

extension HistoryPosition {
  /// The token of a write whose entry is the last one before this position.
  var token: WriteToken { WriteToken(epoch: epoch, sequence: position.sequence) }
}
