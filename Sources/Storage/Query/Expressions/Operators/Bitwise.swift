// MARK: - &

/// The `&` operator.
///
///     Column("mask") & 2
///     // "mask" & 2
public func & (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .chain(.bitwiseAnd, [left.node, right.node])
}

/// The `&` operator.
///
///     2 & Column("mask")
///     // 2 & "mask"
public func & (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.bitwiseAnd, [left.node, right.node])
}

/// The `&` operator.
///
///     Column("mask") & Column("other")
///     // "mask" & "other"
public func & (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.bitwiseAnd, [left.node, right.node])
}

// MARK: - |

/// The `|` operator.
///
///     Column("mask") | 2
///     // "mask" | 2
public func | (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .chain(.bitwiseOr, [left.node, right.node])
}

/// The `|` operator.
///
///     2 | Column("mask")
///     // 2 | "mask"
public func | (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.bitwiseOr, [left.node, right.node])
}

/// The `|` operator.
///
///     Column("mask") | Column("other")
///     // "mask" | "other"
public func | (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .chain(.bitwiseOr, [left.node, right.node])
}

// MARK: - <<

/// The `<<` operator.
///
///     Column("mask") << 2
///     // "mask" << 2
public func << (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.shiftLeft, left, right)
}

/// The `<<` operator.
///
///     2 << Column("mask")
///     // 2 << "mask"
public func << (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.shiftLeft, left, right)
}

/// The `<<` operator.
///
///     Column("mask") << Column("other")
///     // "mask" << "other"
public func << (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.shiftLeft, left, right)
}

// MARK: - >>

/// The `>>` operator.
///
///     Column("mask") >> 2
///     // "mask" >> 2
public func >> (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .operation(.shiftRight, left, right)
}

/// The `>>` operator.
///
///     2 >> Column("mask")
///     // 2 >> "mask"
public func >> (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.shiftRight, left, right)
}

/// The `>>` operator.
///
///     Column("mask") >> Column("other")
///     // "mask" >> "other"
public func >> (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .operation(.shiftRight, left, right)
}

// MARK: - ^

/// The exclusive or, which SQL expresses with other operators.
///
///     Column("mask") ^ 2
///     // (~("mask" & 2)) & ("mask" | 2)
public func ^ (
  left: some SQLSpecificExpressible,
  right: some SQLExpressible
) -> SQLExpression {
  .exclusiveOr(left.sqlExpression, right.sqlExpression)
}

/// The exclusive or, which SQL expresses with other operators.
///
///     2 ^ Column("mask")
///     // (~(2 & "mask")) & (2 | "mask")
public func ^ (
  left: some SQLExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .exclusiveOr(left.sqlExpression, right.sqlExpression)
}

/// The exclusive or, which SQL expresses with other operators.
///
///     Column("mask") ^ Column("other")
///     // (~("mask" & "other")) & ("mask" | "other")
public func ^ (
  left: some SQLSpecificExpressible,
  right: some SQLSpecificExpressible
) -> SQLExpression {
  .exclusiveOr(left.sqlExpression, right.sqlExpression)
}

extension SQLExpression {
  fileprivate static func exclusiveOr(
    _ left: SQLExpression,
    _ right: SQLExpression
  ) -> SQLExpression {
    ~(left & right) & (left | right)
  }
}
