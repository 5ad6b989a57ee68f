/// The columns of a record type that declares none.
///
/// A closure that names a column of such a type does not compile. Declare the columns in the record
/// type, or name them in the request:
///
///     struct Player: TableRecord {
///       enum Columns {
///         static let score = Column("score")
///       }
///     }
///     Player.filter { $0.score > 10 }
///     // SELECT * FROM "player" WHERE "score" > 10
///
///     Player.filter(Column("score") > 10)
///     // SELECT * FROM "player" WHERE "score" > 10
@dynamicMemberLookup
public enum UndeclaredColumns {
  /// The column is not declared.
  @available(
    *,
    unavailable,
    message: """
      the record type has no columns: declare enum Columns { static let name = Column("name") } \
      in it, or write Column("name")
      """
  )
  public static subscript(dynamicMember name: String) -> SQLExpression {
    Column(name).sqlExpression
  }
}
