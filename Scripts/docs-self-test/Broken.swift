
public struct Undocumented: Equatable {
  /// Has documentation.
  public var value = 1
  public func method() {}
}

/// Has documentation, other than its requirement.
public protocol Documented {
  func requirement()
  /// Has documentation, which its witness inherits.
  func inherited()
}

extension Undocumented: Documented {
  public func requirement() {}
  public func inherited() {}
}
