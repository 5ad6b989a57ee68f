/// What was bound to a statement, as it was given.
///
/// Few statements are asked what was bound, so that only those make arguments of it.
enum BoundArguments {
  case arguments(StatementArguments)
  case integers([Int])
  case values([any DatabaseValueConvertible])

  /// The values as arguments.
  var statementArguments: StatementArguments {
    switch self {
    case .arguments(let arguments): arguments
    case .integers(let integers): StatementArguments(integers)
    case .values(let values): StatementArguments(values)
    }
  }
}
