internal import CWellspringSQLite

/// Properties of a token.
public struct FTS5TokenFlags: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: Int32

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The token is a synonym: it has the position of the token before.
  public static let colocated = FTS5TokenFlags(rawValue: FTS5_TOKEN_COLOCATED)
}
