extension Database {
  /// The name of a collation: how strings are compared and sorted.
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Names a collation.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Names a collation.
    public init(_ rawValue: String) {
      self.init(rawValue: rawValue)
    }

    /// Byte by byte: SQLite's default.
    public static let binary = CollationName("BINARY")
    /// Without the case of ASCII letters.
    public static let nocase = CollationName("NOCASE")
    /// Without spaces at the end.
    public static let rtrim = CollationName("RTRIM")
  }
}
