#if !WELLSPRING_WITHOUT_ICU
  internal import Foundation
#endif

extension StatementArguments {
  /// Creates positional arguments from values of unknown types, such as those of parsed JSON.
  ///
  /// - Returns: `nil` when a value cannot be converted to a database value.
  @_disfavoredOverload
  public init?(_ array: [Any]) {
    self.init()
    for value in array {
      guard let value = DatabaseValue(value: value) else { return nil }
      values.append(value)
    }
  }

  /// Creates named arguments from keys and values of unknown types, such as those of parsed JSON.
  ///
  /// - Returns: `nil` when a key is not a string, or a value cannot be converted to a database
  ///   value.
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
  /// Converts a value of an unknown type, such as one of parsed JSON.
  ///
  /// - Returns: `nil` when the value is neither a `DatabaseValueConvertible`, an `NSNumber` nor an
  ///   `NSNull`.
  public init?(value: Any) {
    switch value {
    case let value as any DatabaseValueConvertible: self = value.databaseValue
    #if !WELLSPRING_WITHOUT_ICU
      case is NSNull: self = .null
      case let number as NSNumber: self.init(number: number)
    #endif
    default: return nil
    }
  }

  #if !WELLSPRING_WITHOUT_ICU
    /// Converts a number by its Objective-C type.
    private init(number: NSNumber) {
      switch UInt8(bitPattern: number.objCType.pointee) {
      case UInt8(ascii: "d"), UInt8(ascii: "f"): self = number.doubleValue.databaseValue
      case UInt8(ascii: "Q"): self = number.uint64Value.databaseValue
      default: self = number.int64Value.databaseValue
      }
    }
  #endif
}
