/// An expression that needs the connection.
struct ConnectedExpression: ExpressionPart {
  let part: ConnectedPart<ExpressionNode>

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.appendUnconnected() }
    try part.content(db).write(to: &context)
  }
}

/// Terms of `GROUP BY` that need the connection.
struct ConnectedExpressions: ExpressionPart {
  let part: ConnectedPart<[ExpressionNode]>

  func write(to context: inout SQLContext) throws {
    // With a connection, the clause writes the terms instead.
    context.appendUnconnected()
  }
}

extension [ExpressionNode] {
  /// Returns the terms with those that closures make in their place.
  func connected(_ db: Database?) throws -> [ExpressionNode] {
    guard let db else { return self }
    return try flatMap { node in
      try (node.part as? ConnectedExpressions)?.part.content(db) ?? [node]
    }
  }
}
