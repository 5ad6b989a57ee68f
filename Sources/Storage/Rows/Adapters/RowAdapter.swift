/// A type that presents the rows of a query in another form: with other names, with fewer columns,
/// or divided into scopes.
///
///     let adapter = ScopeAdapter([
///       "wine": RangeRowAdapter(0..<3),
///       "region": SuffixRowAdapter(fromIndex: 3),
///     ])
///     let sql = "SELECT wine.*, region.* FROM wine JOIN region ON region.id = wine.regionID"
///     for row in try Row.fetchAll(db, sql: sql, adapter: adapter) {
///       let wine = try Wine(row: row.scopes["wine"]!)
///       let region = try Region(row: row.scopes["region"]!)
///     }
///
/// An adapter is called once for each run of a statement, not for each row. Rows without an adapter
/// cost nothing extra.
public protocol RowAdapter: Sendable {
  /// Returns the layout of the adapted rows.
  ///
  /// - Throws: An error when the adapter does not fit the columns of the query.
  func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout
}
