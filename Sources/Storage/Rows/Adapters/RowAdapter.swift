/// Something that shows the rows of a query in another form: with other names, fewer columns, or divided
/// into scopes.
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
/// An adapter is asked once for each run of a statement, and not for each row. Rows without an adapter pay
/// nothing for there being adapters.
public protocol RowAdapter: Sendable {
  /// Lays out the columns of the query's rows in another form.
  ///
  /// - Throws: An error when the adapter does not fit the columns of the query.
  func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout
}

/// The columns and scopes of an adapted row.
public struct AdaptedRowLayout: Sendable {
  /// A column of an adapted row.
  public struct Column: Sendable {
    /// The column of the query, counted from 0.
    public var baseIndex: Int
    /// The name of the column in the adapted row.
    public var name: String

    /// Makes a column.
    public init(baseIndex: Int, name: String) {
      self.baseIndex = baseIndex
      self.name = name
    }
  }

  /// The columns, from left to right.
  public var columns: [Column]

  /// The scopes, by name: other forms of the same row.
  public var scopes: [String: AdaptedRowLayout]

  /// Makes a layout.
  public init(columns: [Column], scopes: [String: AdaptedRowLayout] = [:]) {
    self.columns = columns
    self.scopes = scopes
  }
}

extension AdaptedRowLayout {
  /// The leftmost column called `name`, in whatever case.
  func column(named name: String) -> Column? {
    let name = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == name }
  }

  /// The error of an adapter that wants other columns.
  func misfit(_ message: String) -> DatabaseError {
    let names = columns.map(\.name).joined(separator: ", ")
    return DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(message): the columns are \(names.isEmpty ? "none" : names)"
    )
  }
}
