// A Bool of Swift beside a condition of SQL. `Bool` is not an `SQLCondition` itself: otherwise,
// `==` between two requests, or with `nil`, could be Swift's operator. The functions are
// disfavored, so that the compiler tries them only where there is no other choice.

/// The `AND` operator, with a value of Swift on the right.
///
///     Column("score") > 1000 && true
///     // ("score" > 1000) AND 1
@_disfavoredOverload
public func && (left: some SQLCondition, right: Bool) -> SQLExpression {
  .chain(.and, [left.node, right.node])
}

/// The `AND` operator, with a value of Swift on the left.
///
///     true && Column("score") > 1000
///     // 1 AND ("score" > 1000)
@_disfavoredOverload
public func && (left: Bool, right: some SQLCondition) -> SQLExpression {
  .chain(.and, [left.node, right.node])
}

/// The `OR` operator, with a value of Swift on the right.
///
///     Column("score") > 1000 || false
///     // ("score" > 1000) OR 0
@_disfavoredOverload
public func || (left: some SQLCondition, right: Bool) -> SQLExpression {
  .chain(.or, [left.node, right.node])
}

/// The `OR` operator, with a value of Swift on the left.
///
///     false || Column("score") > 1000
///     // 0 OR ("score" > 1000)
@_disfavoredOverload
public func || (left: Bool, right: some SQLCondition) -> SQLExpression {
  .chain(.or, [left.node, right.node])
}
