/// All columns of a table except some.
///
///     Player.select(.allColumns(excluding: ["photo"]))
///     // SELECT "id", "name" FROM "player"
public struct AllColumnsExcluding: SQLSelectable, Hashable, Sendable {
  let names: Set<String>

  /// Creates a selection of all columns except the named ones.
  public init(_ names: some Sequence<String>) {
    self.names = Set(names)
  }

  /// The selection.
  public var sqlSelection: SQLSelection { SQLSelection(.allColumnsExcluding(names)) }
}

extension SQLSelectable where Self == AllColumnsExcluding {
  /// Selects all columns of the table except the named ones.
  ///
  ///     Player.select(.allColumns(excluding: ["photo"]))
  ///     // SELECT "id", "name" FROM "player"
  public static func allColumns(excluding names: some Sequence<String>) -> AllColumnsExcluding {
    AllColumnsExcluding(names)
  }
}
