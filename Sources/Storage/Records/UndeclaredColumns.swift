/// The columns that a record type does not have.
///
/// The type exists for the errors of key paths to unknown columns, and of closures that name the
/// columns of a table without a record type.
@dynamicMemberLookup
public struct UndeclaredColumns {
  /// A column that the record type does not have.
  public subscript(dynamicMember name: String) -> UndeclaredColumns { self }

  /// The column is not declared.
  @available(
    *,
    unavailable,
    message: "a table without a record type declares no columns: write Column(\"name\")"
  )
  public static subscript(dynamicMember name: String) -> SQLExpression {
    Column(name).sqlExpression
  }
}
