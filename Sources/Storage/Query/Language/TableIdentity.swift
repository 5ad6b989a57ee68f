/// How an expression refers to a table of a request whose name is chosen when the request is
/// written.
enum TableIdentity: Hashable, Sendable {
  /// The table to which an alias without a name was given.
  case alias(AliasToken)
  /// The table whose rows have an association, in the condition of the association.
  case origin
  /// The table to which an association leads, in the condition of the association.
  case destination
  /// The table of an association, by the keys that lead to it from the table of the expression.
  case path([String])
  /// The table that is joined for aggregates of an association, by the tables that lead to it.
  case aggregated([AssociationPath.Step])
  /// The table joined for aggregates whose rows no other join multiplies.
  case alone
}

/// The identity of an alias without a name.
///
/// All tokens compare equal: requests are equal if they are written equally, whether or not their
/// aliases were created by the same call. ``SelectStatement`` compares what is written.
final class AliasToken: Hashable, Sendable {
  static func == (left: AliasToken, right: AliasToken) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension TableIdentity {
  /// Whether both refer to the same table of one statement.
  func isSame(as other: TableIdentity) -> Bool {
    if case .alias(let left) = self, case .alias(let right) = other { return left === right }
    return self == other
  }
}
