extension Database {
  /// The name of a collation, which defines how strings are compared and sorted.
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates the name of a collation.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates the name of a collation.
    public init(_ rawValue: String) {
      self.init(rawValue: rawValue)
    }

    /// Compares byte by byte: SQLite's default.
    public static let binary = CollationName("BINARY")
    /// Ignores the case of ASCII letters.
    public static let nocase = CollationName("NOCASE")
    /// Ignores spaces at the end.
    public static let rtrim = CollationName("RTRIM")
  }
}
