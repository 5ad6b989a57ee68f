/// The reason for loading a key.
public enum LoadContext<Value: Sendable>: Sendable {
  /// A new reader shows this value until the key provides one.
  case initialValue(Value)
  /// `load()`, `load(_:)` or `init(require:)` was called.
  case userInitiated

  /// The value that a new reader shows until the key provides one.
  public var initialValue: Value? {
    switch self {
    case .initialValue(let value): value
    case .userInitiated: nil
    }
  }
}
