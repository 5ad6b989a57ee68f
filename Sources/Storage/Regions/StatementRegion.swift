/// What a statement reads, independent of the values of its parameters.
struct StatementRegion {
  /// A table of which the statement only looks up the rows whose ids are bound to parameters.
  struct Lookup {
    let table: TableName
    let columns: Extent<ColumnName>
    /// The indexes of the parameters; the first parameter has index 1.
    let parameters: [Int32]
  }

  /// Everything but the lookups.
  var region: DatabaseRegion
  var lookups: [Lookup] = []
}
