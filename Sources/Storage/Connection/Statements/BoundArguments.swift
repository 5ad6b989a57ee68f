/// The values that were bound to a statement, in the form in which they were given.
///
/// They are converted to ``StatementArguments`` on demand, because few callers ask for them.
enum BoundArguments {
  case arguments(StatementArguments)
  case integers([Int])
  case values([any DatabaseValueConvertible])
  /// The values were bound directly, and not kept.
  case unknown

  /// The values, converted to arguments.
  var statementArguments: StatementArguments {
    switch self {
    case .arguments(let arguments): arguments
    case .integers(let integers): StatementArguments(integers)
    case .values(let values): StatementArguments(values)
    case .unknown: StatementArguments()
    }
  }
}
