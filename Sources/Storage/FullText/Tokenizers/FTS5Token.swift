/// A token of a text, and its position.
public struct FTS5Token: Hashable, Sendable {
  /// The token as stored in the index.
  public var text: String

  /// The position in the text, in bytes of UTF-8.
  public var range: Range<Int>

  /// Further properties of the token.
  public var flags: FTS5TokenFlags

  /// Creates a token.
  public init(_ text: String, at range: Range<Int>, flags: FTS5TokenFlags = []) {
    self.text = text
    self.range = range
    self.flags = flags
  }
}
