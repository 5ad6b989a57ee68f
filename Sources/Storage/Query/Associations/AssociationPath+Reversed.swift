extension AssociationPath {
  /// Returns the query of the associated rows, with the tables between joined in the opposite
  /// direction, as far as the table of the first step.
  ///
  /// - Parameter refine: A closure that adds the condition by which the rows are chosen to the
  ///   table of the first step.
  /// - Returns: The query.
  func startingAtDestination(_ refine: (inout SelectStatement) -> Void) -> SelectStatement {
    var steps = steps
    refine(&steps[0].statement)
    var node: AssociationNode?
    for index in steps.indices.dropLast() {
      var statement = steps[index].statement
      if let node { statement.associations.insert(node, at: 0) }
      node = AssociationNode(
        key: Self.pivotName(index),
        role: .joined(isRequired: true),
        selection: .none,
        path: AssociationPath(
          Step(
            condition: steps[index + 1].condition.reversed,
            key: .fixed(Self.pivotName(index)),
            statement: statement
          )
        )
      )
    }
    var query = steps[steps.count - 1].statement
    if let node { query.associations.insert(node, at: 0) }
    return query
  }

  /// The associations that ``startingAtDestination(_:)`` adds, from the associated rows to the
  /// table of the first step.
  var pivotPath: [String] {
    (0..<steps.count - 1).reversed().map(Self.pivotName)
  }

  /// A name that no association of the request has.
  private static func pivotName(_ index: Int) -> String { ":\(index)" }
}
