/// A type that can be a condition of a filter and an operand of `&&`, `||` and `!`.
///
///     Player.filter { $0.isActive && $0.score > 10 }
///     // SELECT * FROM "player" WHERE "isActive" AND ("score" > 10)
///
/// All untyped expressions are conditions, as SQLite reads any value as true or false. A typed
/// column is a condition if its values are `Bool`.
///
/// `Bool` itself is not a condition: otherwise, `==` between two requests would be Swift's
/// operator.
public protocol SQLCondition: SQLExpressible {}
