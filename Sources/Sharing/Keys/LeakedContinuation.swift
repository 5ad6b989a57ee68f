/// The error of a key that released its ``LoadContinuation`` without resuming it.
public struct LeakedContinuation: Error, Hashable, CustomStringConvertible {
  /// The description of the key.
  public let key: String

  /// Creates the error of a key.
  public init(key: String) {
    self.key = key
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    "\(key) has released its continuation without resuming it: load(context:continuation:) must "
      + "resume it once on each path"
  }
}
