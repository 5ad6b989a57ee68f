/// The values that were bound to a statement, in the form in which they were given.
///
/// They are converted to ``StatementArguments`` on demand, because few callers ask for them.
enum BoundArguments {
  case arguments(StatementArguments)
  /// Integers, which ``Statement/boundIntegers`` holds.
  case integers
  case values([any DatabaseValueConvertible])
  /// The values were bound directly, and not kept.
  case unknown
}
