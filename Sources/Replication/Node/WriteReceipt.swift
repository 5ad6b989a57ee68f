/// What a write has left in the file of its node.
struct WriteReceipt: Sendable {
  /// The place in the log that the file had after the write.
  var token: WriteToken
  /// The last commit of the outbox then, which is that of the write if it changed something. Zero
  /// if there was none.
  var outboxNumber: Int64

  /// Returns the later one of two tokens: what the write has read, and what contains its commit.
  func token(containing commit: WriteToken) -> WriteToken {
    commit.sequence > token.sequence ? commit : token
  }
}
