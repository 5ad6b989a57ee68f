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

  /// Returns the arguments of both sides together. Named values of the right side replace those of
  /// the left.
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
