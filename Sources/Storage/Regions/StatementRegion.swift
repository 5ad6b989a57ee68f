/// What a statement reads, independent of the values of its parameters.
struct StatementRegion {
  /// A table of which the statement only looks up the row whose id is bound to a parameter.
  struct Lookup {
    let table: TableName
    let columns: Extent<ColumnName>
    /// The index of the parameter; the first parameter has index 1.
    let parameter: Int32
  }

  /// Everything but the lookups.
  var region: DatabaseRegion
  var lookups: [Lookup] = []
}
