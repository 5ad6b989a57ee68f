/// A type that can be a term of `ORDER BY`: a column, an expression, or an ``SQLOrdering`` such as
/// ``SQLSpecificExpressible/desc``.
public protocol SQLOrderingTerm {
  /// The ordering term.
  var sqlOrdering: SQLOrdering { get }
}
