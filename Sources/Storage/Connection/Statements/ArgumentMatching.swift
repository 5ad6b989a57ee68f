/// The assignment of arguments to the parameters of a statement.
///
/// A named parameter takes the named value of its name. All other parameters, including named ones
/// without a named value, take the positional values from left to right. Named values without a
/// parameter are ignored, so that one dictionary can serve several statements.
struct ArgumentMatching {
  /// The value of each parameter; `nil` for a parameter without a value.
  private(set) var values: [DatabaseValue?]

  /// An error message when a parameter has no value, or a positional value no parameter; otherwise
  /// `nil`.
  let problem: String?

  init(_ arguments: StatementArguments, parameterNames: [String?]) {
    var positional = arguments.values.makeIterator()
    values = parameterNames.map { name in
      if let name, let value = arguments.namedValues[name] { return value }
      return positional.next()
    }
    let missing = zip(1..., zip(parameterNames, values)).filter { $1.1 == nil }
      .map { number, parameter in parameter.0.map { ":\($0)" } ?? "number \(number)" }
    if !missing.isEmpty {
      problem =
        "missing statement arguments: \(missing.joined(separator: ", ")) "
        + "(the statement has \(values.count), \(arguments.count) given)"
    } else if positional.next() != nil {
      problem =
        "too many statement arguments: the statement has \(values.count), \(arguments.count) given"
    } else {
      problem = nil
    }
  }
}
