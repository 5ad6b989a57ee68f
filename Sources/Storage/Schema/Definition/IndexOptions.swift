/// Options for creating an index.
///
///     try db.create(index: "byEmail", on: "users", columns: ["email"], options: .unique)
///     // CREATE UNIQUE INDEX "byEmail" ON "users"("email")
public struct IndexOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing when the index already exists.
  public static let ifNotExists = IndexOptions(rawValue: 1 << 0)
  /// Refuses rows with equal values.
  public static let unique = IndexOptions(rawValue: 1 << 1)
}
