extension AssociationAggregate {
  /// The `AND` operator.
  ///
  ///     Team.players.isEmpty && Team.players.count > 9
  ///     // (COUNT(DISTINCT "player"."id") = 0) AND (COUNT(DISTINCT "player"."id") > 9)
  @_disfavoredOverload
  public static func && (left: Self, right: Self) -> Self {
    Self(left.expression && right.expression)
  }

  /// The `OR` operator.
  ///
  ///     Team.players.isEmpty || Team.players.count > 9
  ///     // (COUNT(DISTINCT "player"."id") = 0) OR (COUNT(DISTINCT "player"."id") > 9)
  @_disfavoredOverload
  public static func || (left: Self, right: Self) -> Self {
    Self(left.expression || right.expression)
  }

  /// The `NOT` operator, or the opposite operator where SQL has one.
  ///
  ///     !Team.players.isEmpty
  ///     // COUNT(DISTINCT "player"."id") > 0
  @_disfavoredOverload
  public static prefix func ! (condition: Self) -> Self { Self(!condition.expression) }
}
