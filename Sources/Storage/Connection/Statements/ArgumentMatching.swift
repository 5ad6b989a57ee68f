/// Which argument each parameter of a statement gets.
///
/// A named parameter takes the value of its name. All others, named ones without a value included, take the
/// positional values from left to right.
struct ArgumentMatching {
  /// By parameter; `nil` when there is no value for it.
  private(set) var values: [DatabaseValue?]

  /// What is wrong, when not every parameter has a value, or not every value a parameter.
  let problem: String?

  init(_ arguments: StatementArguments, parameterNames: [String?]) {
    var positional = arguments.values.makeIterator()
    var unusedNames = Set(arguments.namedValues.keys)
    values = parameterNames.map { name in
      if let name, let value = arguments.namedValues[name] {
        unusedNames.remove(name)
        return value
      }
      return positional.next()
    }
    let missing = zip(1..., zip(parameterNames, values)).filter { $1.1 == nil }
      .map { number, parameter in parameter.0.map { ":\($0)" } ?? "number \(number)" }
    if !missing.isEmpty {
      problem =
        "missing statement arguments: \(missing.joined(separator: ", ")) "
        + "(the statement has \(values.count), \(arguments.count) given)"
    } else if !unusedNames.isEmpty {
      let names = unusedNames.sorted().map { ":\($0)" }
      problem = "the statement has no parameter \(names.joined(separator: ", "))"
    } else if positional.next() != nil {
      problem =
        "too many statement arguments: the statement has \(values.count), \(arguments.count) given"
    } else {
      problem = nil
    }
  }
}
