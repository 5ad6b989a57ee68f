/// The result of a write in the file of its node.
struct WriteReceipt: Sendable {
  /// The place in the log that the file had after the write.
  var token: WriteToken
  /// The last commit of the outbox then, which is the commit of the write if it changed something.
  /// Zero if the outbox has had no commit.
  var outboxNumber: Int64

  /// Returns the later of two tokens: the token of the data it has read, and the token of its
  /// commit.
  func token(containing commit: WriteToken) -> WriteToken {
    commit.sequence > token.sequence ? commit : token
  }
}
