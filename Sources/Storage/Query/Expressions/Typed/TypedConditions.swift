// MARK: - IN, BETWEEN

extension Sequence where Element: DatabaseValueConvertible {
  /// Returns whether an expression equals one of the elements.
  ///
  ///     [1, 2, 3].contains(TypedColumn<Int>("id"))
  ///     // "id" IN (1, 2, 3)
  public func contains<Expression: TypedExpressible>(
    _ element: Expression
  ) -> TypedExpression<Bool> where Expression.Value.Unwrapped == Element {
    TypedExpression(contains(element.untyped))
  }
}

extension ClosedRange where Bound: DatabaseValueConvertible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0...1000).contains(TypedColumn<Int>("score"))
  ///     // "score" BETWEEN 0 AND 1000
  public func contains<Expression: TypedExpressible>(
    _ element: Expression
  ) -> TypedExpression<Bool> where Expression.Value.Unwrapped == Bound {
    TypedExpression(contains(element.untyped))
  }
}

extension Range where Bound: DatabaseValueConvertible {
  /// Returns whether an expression is in the range.
  ///
  ///     (0..<1000).contains(TypedColumn<Int>("score"))
  ///     // ("score" >= 0) AND ("score" < 1000)
  public func contains<Expression: TypedExpressible>(
    _ element: Expression
  ) -> TypedExpression<Bool> where Expression.Value.Unwrapped == Bound {
    TypedExpression(contains(element.untyped))
  }
}

extension SQLSubqueryable {
  /// Returns whether an expression is among the values of the subquery.
  ///
  ///     Table("award").select(Column("playerID")).contains(TypedColumn<Int>("id"))
  ///     // "id" IN (SELECT "playerID" FROM "award")
  public func contains(_ element: some TypedExpressible) -> TypedExpression<Bool> {
    TypedExpression(contains(element.untyped))
  }
}

// MARK: - Strings

extension TypedExpressible where Value.Unwrapped == String {
  /// The `LIKE` operator.
  ///
  ///     TypedColumn<String>("email").like("%@example.com")
  ///     // "email" LIKE '%@example.com'
  public func like(_ pattern: String, escape: String? = nil) -> TypedExpression<Bool> {
    TypedExpression(untyped.like(pattern, escape: escape))
  }

  /// The `GLOB` operator.
  ///
  ///     TypedColumn<String>("path").glob("*.png")
  ///     // "path" GLOB '*.png'
  public func glob(_ pattern: String) -> TypedExpression<Bool> {
    TypedExpression(untyped.glob(pattern))
  }

  /// The `LIKE` operator, with a pattern of another column or expression.
  ///
  ///     TypedColumn<String>("email").like("%@" + TypedColumn<String>("domain"))
  ///     // "email" LIKE ('%@' || "domain")
  public func like<Pattern: TypedExpressible>(
    _ pattern: Pattern,
    escape: String? = nil
  ) -> TypedExpression<Bool> where Pattern.Value.Unwrapped == String {
    TypedExpression(untyped.like(pattern.untyped, escape: escape))
  }

  /// The `GLOB` operator, with a pattern of another column or expression.
  ///
  ///     TypedColumn<String>("path").glob(TypedColumn<String>("folder") + "/*")
  ///     // "path" GLOB ("folder" || '/*')
  public func glob<Pattern: TypedExpressible>(
    _ pattern: Pattern
  ) -> TypedExpression<Bool> where Pattern.Value.Unwrapped == String {
    TypedExpression(untyped.glob(pattern.untyped))
  }

  /// The `REGEXP` operator, which requires a function `regexp` in the connection.
  ///
  ///     TypedColumn<String>("name").regexp("^A")
  ///     // "name" REGEXP '^A'
  public func regexp(_ pattern: some SQLExpressible) -> TypedExpression<Bool> {
    TypedExpression(untyped.regexp(pattern))
  }

  /// The `MATCH` operator of full-text tables.
  ///
  ///     TypedColumn<String>("content").match("sqlite")
  ///     // "content" MATCH 'sqlite'
  public func match(_ pattern: some SQLExpressible) -> TypedExpression<Bool> {
    TypedExpression(untyped.match(pattern))
  }

  /// Compares the strings by a collation.
  ///
  ///     TypedColumn<String>("name").collating(.nocase) == "arthur"
  ///     // "name" = 'arthur' COLLATE NOCASE
  public func collating(_ collation: Database.CollationName) -> TypedExpression<Value> {
    TypedExpression(untyped.collating(collation))
  }

  /// Compares the strings by a collation that Swift computes.
  ///
  ///     TypedColumn<String>("name").collating(.caseInsensitiveCompare) == "zoé"
  ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
  public func collating(_ collation: DatabaseCollation) -> TypedExpression<Value> {
    TypedExpression(untyped.collating(collation))
  }
}
