// GRDB accepts constants as conditions and as generated values. A constant string is nearly always
// meant as SQL, so these overloads compile with a warning.

extension ColumnDefinition {
  /// Makes the column a generated column, whose value is the same in all rows.
  ///
  ///     t.column("kind", .text).generatedAs("player")
  ///     // "kind" TEXT GENERATED ALWAYS AS ('player') VIRTUAL
  @available(*, deprecated, message: "This is a constant. For SQL, write generatedAs(sql:).")
  @_disfavoredOverload
  @discardableResult
  public func generatedAs(
    _ constant: some DatabaseValueConvertible,
    _ qualification: GeneratedColumnQualification = .virtual
  ) -> Self {
    generatedAs(constant.sqlExpression, qualification)
  }
}

extension TableDefinition {
  /// Adds a check constraint that does not depend on the row: all rows are refused, or none.
  ///
  ///     t.check(true)
  ///     // CHECK (1)
  @available(*, deprecated, message: "This is a constant. For SQL, write check(sql:).")
  @_disfavoredOverload
  public func check(_ constant: some DatabaseValueConvertible) {
    add(.check(constant.node))
  }
}
