extension StatementArguments {
  /// Adds other arguments: positional ones after those that are there, named ones beside them.
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

  /// Returns both arguments together.
  ///
  ///     let arguments: StatementArguments = ["cup"] + ["price": 4]
  ///
  /// - Precondition: No name is in both. Use `&+` to replace values.
  public static func + (left: StatementArguments, right: StatementArguments) -> StatementArguments {
    var result = left
    result += right
    return result
  }

  /// Adds other arguments.
  ///
  /// - Precondition: No name is in both. Use `&+=` to replace values.
  public static func += (left: inout StatementArguments, right: StatementArguments) {
    let replaced = left.append(contentsOf: right).keys.sorted()
    precondition(
      replaced.isEmpty,
      "Arguments are given twice: \(replaced.joined(separator: ", ")). Use &+ to replace them."
    )
  }

  /// Returns both arguments together. Named values of the right side replace those of the left.
  public static func &+ (left: StatementArguments, right: StatementArguments) -> StatementArguments
  {
    var result = left
    result &+= right
    return result
  }

  /// Adds other arguments. Their named values replace those that are there.
  public static func &+= (left: inout StatementArguments, right: StatementArguments) {
    left.append(contentsOf: right)
  }
}
