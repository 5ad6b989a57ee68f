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

  /// Whether there is no value.
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
