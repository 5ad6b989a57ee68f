// An aggregate combines with values and expressions, and with other aggregates of the same record
// type. The result has no name: forKey(_:) gives it one.

// MARK: - Arithmetic

extension AssociationAggregate {
  /// The `+` operator.
  ///
  ///     Team.players.count + 1
  ///     // COUNT(DISTINCT "player"."id") + 1
  @_disfavoredOverload
  public static func + (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression + right.sqlExpression)
  }

  /// The `+` operator.
  ///
  ///     100 + Team.players.count
  ///     // 100 + COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func + (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression + right.expression)
  }

  /// The `+` operator.
  ///
  ///     Team.players.max(Column("score")) + Team.players.min(Column("score"))
  ///     // MAX("player"."score") + MIN("player"."score")
  @_disfavoredOverload
  public static func + (left: Self, right: Self) -> Self {
    Self(left.expression + right.expression)
  }

  /// The `-` operator.
  ///
  ///     Team.players.count - 1
  ///     // COUNT(DISTINCT "player"."id") - 1
  @_disfavoredOverload
  public static func - (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression - right.sqlExpression)
  }

  /// The `-` operator.
  ///
  ///     100 - Team.players.count
  ///     // 100 - COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func - (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression - right.expression)
  }

  /// The `-` operator.
  ///
  ///     Team.players.max(Column("score")) - Team.players.min(Column("score"))
  ///     // MAX("player"."score") - MIN("player"."score")
  @_disfavoredOverload
  public static func - (left: Self, right: Self) -> Self {
    Self(left.expression - right.expression)
  }

  /// The `*` operator.
  ///
  ///     Team.players.count * 1
  ///     // COUNT(DISTINCT "player"."id") * 1
  @_disfavoredOverload
  public static func * (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression * right.sqlExpression)
  }

  /// The `*` operator.
  ///
  ///     100 * Team.players.count
  ///     // 100 * COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func * (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression * right.expression)
  }

  /// The `*` operator.
  ///
  ///     Team.players.max(Column("score")) * Team.players.min(Column("score"))
  ///     // MAX("player"."score") * MIN("player"."score")
  @_disfavoredOverload
  public static func * (left: Self, right: Self) -> Self {
    Self(left.expression * right.expression)
  }

  /// The `/` operator.
  ///
  ///     Team.players.count / 1
  ///     // COUNT(DISTINCT "player"."id") / 1
  @_disfavoredOverload
  public static func / (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression / right.sqlExpression)
  }

  /// The `/` operator.
  ///
  ///     100 / Team.players.count
  ///     // 100 / COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func / (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression / right.expression)
  }

  /// The `/` operator.
  ///
  ///     Team.players.max(Column("score")) / Team.players.min(Column("score"))
  ///     // MAX("player"."score") / MIN("player"."score")
  @_disfavoredOverload
  public static func / (left: Self, right: Self) -> Self {
    Self(left.expression / right.expression)
  }

  /// The `%` operator.
  ///
  ///     Team.players.count % 1
  ///     // COUNT(DISTINCT "player"."id") % 1
  @_disfavoredOverload
  public static func % (left: Self, right: some SQLExpressible) -> Self {
    Self(left.expression % right.sqlExpression)
  }

  /// The `%` operator.
  ///
  ///     100 % Team.players.count
  ///     // 100 % COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static func % (left: some SQLExpressible, right: Self) -> Self {
    Self(left.sqlExpression % right.expression)
  }

  /// The `%` operator.
  ///
  ///     Team.players.max(Column("score")) % Team.players.min(Column("score"))
  ///     // MAX("player"."score") % MIN("player"."score")
  @_disfavoredOverload
  public static func % (left: Self, right: Self) -> Self {
    Self(left.expression % right.expression)
  }

  /// The `-` operator.
  ///
  ///     -Team.players.count
  ///     // -COUNT(DISTINCT "player"."id")
  @_disfavoredOverload
  public static prefix func - (operand: Self) -> Self { Self(-operand.expression) }
}
