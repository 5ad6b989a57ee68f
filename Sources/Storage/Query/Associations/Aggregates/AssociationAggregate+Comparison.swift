extension AssociationAggregate {
  /// The `<` operator.
  ///
  ///     Team.players.count < 2
  ///     // COUNT(DISTINCT "player"."id") < 2
  @_disfavoredOverload
  public static func < (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression < right.sqlExpression)
  }

  /// The `<` operator.
  ///
  ///     2 < Team.players.count
  ///     // 2 < COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func < (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression < right.expression)
  }

  /// The `<` operator.
  ///
  ///     Team.players.max(Column("score")) < Team.players.min(Column("score"))
  ///     // MAX("player"."score") < MIN("player"."score")
  @_disfavoredOverload
  public static func < (left: Self, right: Self) -> Self {
    Self(left.expression < right.expression)
  }

  /// The `<=` operator.
  ///
  ///     Team.players.count <= 2
  ///     // COUNT(DISTINCT "player"."id") <= 2
  @_disfavoredOverload
  public static func <= (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression <= right.sqlExpression)
  }

  /// The `<=` operator.
  ///
  ///     2 <= Team.players.count
  ///     // 2 <= COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func <= (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression <= right.expression)
  }

  /// The `<=` operator.
  ///
  ///     Team.players.max(Column("score")) <= Team.players.min(Column("score"))
  ///     // MAX("player"."score") <= MIN("player"."score")
  @_disfavoredOverload
  public static func <= (left: Self, right: Self) -> Self {
    Self(left.expression <= right.expression)
  }

  /// The `>` operator.
  ///
  ///     Team.players.count > 2
  ///     // COUNT(DISTINCT "player"."id") > 2
  @_disfavoredOverload
  public static func > (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression > right.sqlExpression)
  }

  /// The `>` operator.
  ///
  ///     2 > Team.players.count
  ///     // 2 > COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func > (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression > right.expression)
  }

  /// The `>` operator.
  ///
  ///     Team.players.max(Column("score")) > Team.players.min(Column("score"))
  ///     // MAX("player"."score") > MIN("player"."score")
  @_disfavoredOverload
  public static func > (left: Self, right: Self) -> Self {
    Self(left.expression > right.expression)
  }

  /// The `>=` operator.
  ///
  ///     Team.players.count >= 2
  ///     // COUNT(DISTINCT "player"."id") >= 2
  @_disfavoredOverload
  public static func >= (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression >= right.sqlExpression)
  }

  /// The `>=` operator.
  ///
  ///     2 >= Team.players.count
  ///     // 2 >= COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func >= (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression >= right.expression)
  }

  /// The `>=` operator.
  ///
  ///     Team.players.max(Column("score")) >= Team.players.min(Column("score"))
  ///     // MAX("player"."score") >= MIN("player"."score")
  @_disfavoredOverload
  public static func >= (left: Self, right: Self) -> Self {
    Self(left.expression >= right.expression)
  }

  /// The `=` operator.
  ///
  ///     Team.players.count == 2
  ///     // COUNT(DISTINCT "player"."id") = 2
  @_disfavoredOverload
  public static func == (left: Self, right: some SQLExpressible) -> Self {
    Self(equality(left.expression, right.sqlExpression))
  }

  /// The `=` operator.
  ///
  ///     2 == Team.players.count
  ///     // 2 = COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func == (left: some SQLExpressible, right: Self) -> Self {
    Self(equality(left.sqlExpression, right.expression))
  }

  /// The `=` operator.
  ///
  ///     Team.players.max(Column("score")) == Team.players.min(Column("score"))
  ///     // MAX("player"."score") = MIN("player"."score")
  @_disfavoredOverload
  public static func == (left: Self, right: Self) -> Self {
    Self(equality(left.expression, right.expression))
  }

  /// `IS NULL`
  ///
  ///     Team.players.max(Column("score")) == nil
  ///     // MAX("player"."score") IS NULL
  @_disfavoredOverload
  public static func == (left: Self, right: SQLNull) -> Self { Self(left.expression == right) }

  /// The `<>` operator.
  ///
  ///     Team.players.count != 2
  ///     // COUNT(DISTINCT "player"."id") <> 2
  @_disfavoredOverload
  public static func != (left: Self, right: some SQLExpressible) -> Self {
    Self(!equality(left.expression, right.sqlExpression))
  }

  /// The `<>` operator.
  ///
  ///     2 != Team.players.count
  ///     // 2 <> COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func != (left: some SQLExpressible, right: Self) -> Self {
    Self(!equality(left.sqlExpression, right.expression))
  }

  /// The `<>` operator.
  ///
  ///     Team.players.max(Column("score")) != Team.players.min(Column("score"))
  ///     // MAX("player"."score") <> MIN("player"."score")
  @_disfavoredOverload
  public static func != (left: Self, right: Self) -> Self {
    Self(!equality(left.expression, right.expression))
  }

  /// `IS NOT NULL`
  ///
  ///     Team.players.max(Column("score")) != nil
  ///     // MAX("player"."score") IS NOT NULL
  @_disfavoredOverload
  public static func != (left: Self, right: SQLNull) -> Self { Self(left.expression != right) }

  /// Returns the comparison of two values. A comparison of ``AssociationToMany/isEmpty`` with a
  /// Boolean is written as the condition that it means.
  private static func equality(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    for (side, other) in [(left, right), (right, left)]
    where side.node.part is AssociationEmptiness {
      if other.node.value == true.databaseValue { return side }
      if other.node.value == false.databaseValue { return !side }
    }
    return left == right
  }
}
