/// A type that SQL functions accept: a column or an expression, typed or untyped.
///
///     length(Column("name"))
///     // LENGTH("name")
///
/// A plain value is not an argument: `length("name")` remains free for other functions.
public protocol SQLFunctionArgument: SQLExpressible {}
