/// The error of a required key that has no value.
public struct NoInitialValue: Error, Hashable, CustomStringConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "the key has no value, and there is no initial one" }
}
