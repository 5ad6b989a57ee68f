// First mistakes with filters: these members do not compile, and say what to write.

extension RefinableRequest {
  /// A string is no condition: write `filter(sql:)`.
  @available(*, unavailable, message: "write filter(sql:arguments:) for a condition in SQL")
  public func filter(_ sql: String) -> Refined { none() }
}

extension RefinableRequest<Row> {
  /// Rows have no declared columns: write `filter(Column("name") == "Arthur")`.
  @available(
    *,
    unavailable,
    message: """
      a table without a record type declares no columns: write filter(Column("name") == …), or \
      Table<Player>("player")
      """
  )
  public func filter(
    _ condition: (UndeclaredColumns.Type) throws -> some SQLCondition
  ) rethrows -> Refined {
    none()
  }
}

extension TableRecord {
  /// A string is no condition: write `filter(sql:)`.
  @available(*, unavailable, message: "write filter(sql:arguments:) for a condition in SQL")
  public static func filter(_ sql: String) -> QueryInterfaceRequest<Self> { none() }
}
