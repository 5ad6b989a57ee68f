/// Options for creating a view.
///
///     try db.create(view: "hero", options: [.temporary, .ifNotExists], as: heroes)
///     // CREATE TEMPORARY VIEW IF NOT EXISTS "hero" AS …
public struct ViewOptions: OptionSet, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Does nothing when the view already exists.
  public static let ifNotExists = ViewOptions(rawValue: 1 << 0)
  /// Creates a view that only this connection sees, and that is dropped when the connection closes.
  public static let temporary = ViewOptions(rawValue: 1 << 1)
}
