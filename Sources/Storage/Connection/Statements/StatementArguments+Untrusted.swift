internal import Foundation

extension StatementArguments {
  /// Makes arguments by position of values whose types are not known, such as those of parsed JSON.
  ///
  /// - Returns: `nil` when one of them converts to no database value.
  @_disfavoredOverload
  public init?(_ array: [Any]) {
    self.init()
    for value in array {
      guard let value = DatabaseValue(value: value) else { return nil }
      values.append(value)
    }
  }

  /// Makes arguments by name of keys and values whose types are not known, such as those of parsed JSON.
  ///
  /// - Returns: `nil` when a key is no string, or a value converts to no database value.
  @_disfavoredOverload
  public init?(_ dictionary: [AnyHashable: Any]) {
    self.init()
    for (key, value) in dictionary {
      guard let name = key as? String, let value = DatabaseValue(value: value) else { return nil }
      namedValues[name] = value
    }
  }
}

extension DatabaseValue {
  /// Converts a value whose type is not known, such as one of parsed JSON.
  ///
  /// - Returns: `nil` when it is neither `DatabaseValueConvertible` nor Foundation's number or null.
  public init?(value: Any) {
    switch value {
    case let value as any DatabaseValueConvertible: self = value.databaseValue
    case is NSNull: self = .null
    case let number as NSNumber: self.init(number: number)
    default: return nil
    }
  }

  /// A number as its type in Objective-C says.
  private init(number: NSNumber) {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = number.doubleValue.databaseValue
    case UInt8(ascii: "Q"): self = number.uint64Value.databaseValue
    default: self = number.int64Value.databaseValue
    }
  }
}
