/// What a statement reads, independent of the values of its parameters.
struct StatementRegion {
  /// A table of which the statement only looks up the rows whose ids are bound to parameters.
  struct Lookup {
    let table: TableName
    let columns: Extent<ColumnName>
    /// The indexes of the parameters; the first parameter has index 1.
    let parameters: [Int32]
  }

  /// A table and a column. The statement reads only rows of the table that have certain values in
  /// the column.
  struct Equality {
    let table: TableName
    let columns: Extent<ColumnName>
    let column: ConditionColumn
    let affinity: ColumnAffinity
    let values: [ExplainedProgram.Value]
  }

  /// Everything but the lookups and the equalities.
  var region: DatabaseRegion
  var lookups: [Lookup] = []
  var equalities: [Equality] = []

  /// Whether the statement reads the same with any arguments.
  var isConstant: Bool { lookups.isEmpty && equalities.isEmpty }
}

extension StatementRegion.Equality {
  /// Returns the values that rows have, with these arguments; all of them when it is in doubt which
  /// values SQLite takes for equal.
  func extent(arguments: [DatabaseValue?]) -> Extent<SoughtValue> {
    var found: Set<SoughtValue> = []
    for value in values {
      let argument: DatabaseValue? =
        switch value {
        case .parameter(let index): arguments[Int(index) - 1]
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .null: .null
        }
      guard let key = argument.flatMap({ ValueKey($0, affinity, column.collation) }) else {
        return .all
      }
      found.insert(SoughtValue(column: column, key: key))
    }
    return .some(found)
  }
}
