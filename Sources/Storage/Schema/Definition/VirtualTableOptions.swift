/// Options for creating a virtual table.
public struct VirtualTableOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing when the table already exists.
  public static let ifNotExists = VirtualTableOptions(rawValue: 1 << 0)

  /// Creates a table that exists for this connection only, until the connection closes.
  public static let temporary = VirtualTableOptions(rawValue: 1 << 1)
}
