/// The values for the parameters of a statement, by position or by name.
///
///     try db.execute(sql: "INSERT INTO item (name, price) VALUES (?, ?)", arguments: ["cup", 4])
///     try db.execute(sql: "DELETE FROM item WHERE name = :name", arguments: ["name": "cup"])
///
/// A parameter without a value is an error, and so is a positional value without a parameter. Named
/// values that a statement has no parameter for are ignored.
public struct StatementArguments: Hashable, Sendable {
  /// The positional values, from left to right: for the parameters without a named value.
  var values: [DatabaseValue]
  /// The named values. Their names are without the parameters' `:`, `@` or `$`.
  var namedValues: [String: DatabaseValue]

  /// Creates arguments for a statement without parameters.
  public init() {
    values = []
    namedValues = [:]
  }

  /// Creates arguments from positional and named values.
  init(values: [DatabaseValue], namedValues: [String: DatabaseValue]) {
    self.values = values
    self.namedValues = namedValues
  }

  /// Creates positional arguments.
  public init(_ sequence: some Sequence<(any DatabaseValueConvertible)?>) {
    values = sequence.map { $0?.databaseValue ?? .null }
    namedValues = [:]
  }

  /// Creates positional arguments.
  public init<Value: DatabaseValueConvertible>(_ sequence: some Sequence<Value>) {
    values = sequence.map(\.databaseValue)
    namedValues = [:]
  }

  /// Creates named arguments.
  public init(_ dictionary: [String: (any DatabaseValueConvertible)?]) {
    values = []
    namedValues = dictionary.mapValues { $0?.databaseValue ?? .null }
  }

  /// Creates named arguments. When a name occurs twice, the last value counts.
  public init(_ pairs: some Sequence<(String, (any DatabaseValueConvertible)?)>) {
    self.init()
    for (name, value) in pairs { namedValues[name] = value?.databaseValue ?? .null }
  }

  /// Whether there are no values.
  public var isEmpty: Bool { values.isEmpty && namedValues.isEmpty }

  /// The number of values.
  var count: Int { values.count + namedValues.count }

  /// Whether no value has a name.
  var isPositional: Bool { namedValues.isEmpty }
}

extension StatementArguments: ExpressibleByArrayLiteral {
  /// Creates positional arguments.
  public init(arrayLiteral elements: (any DatabaseValueConvertible)?...) {
    self.init(elements)
  }
}

extension StatementArguments: ExpressibleByDictionaryLiteral {
  /// Creates named arguments.
  ///
  /// - Precondition: No name occurs twice.
  public init(dictionaryLiteral elements: (String, (any DatabaseValueConvertible)?)...) {
    self.init()
    for (name, value) in elements {
      let previous = namedValues.updateValue(value?.databaseValue ?? .null, forKey: name)
      precondition(previous == nil, "The argument \(name) is given twice: remove one of them.")
    }
  }
}

extension StatementArguments: CustomStringConvertible {
  /// The values as SQL literals: `[1, 'cup']`, `[name: 'cup']`.
  public var description: String {
    let named = namedValues.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "[" + (values.map(\.description) + named).joined(separator: ", ") + "]"
  }
}

extension StatementArguments {
  /// Adds arguments: positional values at the end, and named values by their names.
  ///
  /// - Returns: The named values that were replaced.
  @discardableResult
  public mutating func append(contentsOf arguments: StatementArguments) -> [String: DatabaseValue] {
    var replaced: [String: DatabaseValue] = [:]
    values += arguments.values
    for (name, value) in arguments.namedValues {
      if let previous = namedValues.updateValue(value, forKey: name) { replaced[name] = previous }
    }
    return replaced
  }

  /// Returns the arguments of both sides together.
  ///
  ///     let arguments: StatementArguments = ["cup"] + ["price": 4]
  ///
  /// - Precondition: No name is on both sides. Use `&+` to replace values.
  public static func + (left: StatementArguments, right: StatementArguments) -> StatementArguments {
    var result = left
    result += right
    return result
  }

  /// Adds arguments.
  ///
  /// - Precondition: No name is on both sides. Use `&+=` to replace values.
  public static func += (left: inout StatementArguments, right: StatementArguments) {
    let replaced = left.append(contentsOf: right).keys.sorted()
    precondition(
      replaced.isEmpty,
      "Arguments are given twice: \(replaced.joined(separator: ", ")). Use &+ to replace them."
    )
  }

  /// Returns the arguments of both sides together. Named values of the right side replace values of
  /// the left side.
  public static func &+ (left: StatementArguments, right: StatementArguments) -> StatementArguments
  {
    var result = left
    result &+= right
    return result
  }

  /// Adds arguments. Their named values replace existing ones.
  public static func &+= (left: inout StatementArguments, right: StatementArguments) {
    left.append(contentsOf: right)
  }
}

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
  /// Converts a value of an unknown type, such as a value of parsed JSON.
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

/// Values for the parameters of a statement, by position: the type of an array literal such as
/// `[1, "cup", price]` that contains no literal `nil`. Its values may be optionals.
///
/// Binding them is faster than binding ``StatementArguments``, because they are not converted
/// first.
public struct PositionalArguments: ExpressibleByArrayLiteral {
  let values: [any DatabaseValueConvertible]

  // An array parameter would not do instead of this type: it would also take `[1, nil, 2.5]`, as an
  // array of `Double?`, and turn the integer into a real number.

  /// Creates arguments from values.
  public init(_ values: [any DatabaseValueConvertible]) {
    self.values = values
  }

  /// Creates arguments from values.
  public init(arrayLiteral elements: any DatabaseValueConvertible...) {
    values = elements
  }
}
