/// All columns of a table.
///
///     Player.select(.allColumns, .rowID)
///     // SELECT *, "rowid" FROM "player"
public struct AllColumns: SQLSelectable, Hashable, Sendable {
  /// Creates a selection of all columns.
  public init() {}

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumns) }
}

extension SQLSelectable where Self == AllColumns {
  /// All columns of the table.
  ///
  ///     Player.select(.allColumns)
  ///     // SELECT * FROM "player"
  public static var allColumns: AllColumns { AllColumns() }
}
