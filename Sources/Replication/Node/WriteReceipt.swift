/// The result of a write in the file of its node.
struct WriteReceipt: Sendable {
  /// The place in the log that the file had after the write.
  var token: WriteToken
  /// The last commit of the outbox then, which is that of the write if it changed something. Zero
  /// if there was none.
  var outboxNumber: Int64

  /// Returns the later of two tokens: that of the data it has read, and that of its commit.
  func token(containing commit: WriteToken) -> WriteToken {
    commit.sequence > token.sequence ? commit : token
  }
}
