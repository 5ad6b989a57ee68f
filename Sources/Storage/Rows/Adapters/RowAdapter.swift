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

/// How adapted rows present their base rows. One instance serves all rows of a statement's run.
final class RowAdaptation: Sendable {
  let layout: RowLayout
  /// For each column, its index in the base row.
  let baseColumns: [Int]
  let scopes: [String: RowAdaptation]
  /// The names of the scopes that lead to this one.
  let path: [String]
  /// The table whose columns the row shows, where a request with associations says so.
  let tableName: String?
  /// The scopes at all levels, by name: of several with one name, the nearest scope.
  let nearestScopes: [String: RowAdaptation]

  init(_ layout: AdaptedRowLayout, path: [String] = []) {
    self.layout = RowLayout(columnNames: layout.columns.map(\.name))
    baseColumns = layout.columns.map(\.baseIndex)
    self.path = path
    tableName = layout.tableName
    scopes = Dictionary(
      uniqueKeysWithValues: layout.scopes.map { name, layout in
        (name, RowAdaptation(layout, path: path + [name]))
      }
    )
    nearestScopes = Self.nearest(scopes)
  }

  private static func nearest(_ scopes: [String: RowAdaptation]) -> [String: RowAdaptation] {
    var nearest = scopes
    var level = Array(scopes.values)
    while !level.isEmpty {
      let next = level.flatMap { $0.scopes.sorted { $0.key < $1.key } }
      for (name, scope) in next where nearest[name] == nil { nearest[name] = scope }
      level = next.map(\.value)
    }
    return nearest
  }

  private init(layout: RowLayout, baseColumns: [Int], path: [String], tableName: String?) {
    self.layout = layout
    self.baseColumns = baseColumns
    self.path = path
    self.tableName = tableName
    scopes = [:]
    nearestScopes = [:]
  }

  /// The adaptation with the same columns but no scopes.
  var unscoped: RowAdaptation {
    guard !scopes.isEmpty else { return self }
    return RowAdaptation(
      layout: layout,
      baseColumns: baseColumns,
      path: path,
      tableName: tableName
    )
  }

  /// Applies an adapter to rows of a layout.
  convenience init(_ adapter: any RowAdapter, of layout: RowLayout) throws {
    let columns = layout.columnNames.enumerated().map {
      AdaptedRowLayout.Column(baseIndex: $0.offset, name: $0.element)
    }
    let adapted = try adapter.layout(adapting: AdaptedRowLayout(columns: columns))
    try Self.check(adapted, count: columns.count)
    self.init(adapted)
  }

  private static func check(_ adapted: AdaptedRowLayout, count: Int) throws {
    if let column = adapted.columns.first(where: { !(0..<count).contains($0.baseIndex) }) {
      throw DatabaseError(
        resultCode: .SQLITE_MISUSE,
        message: """
          a row adapter maps \(column.name) to column \(column.baseIndex): the query has \(count) columns
          """
      )
    }
    for scope in adapted.scopes.values { try check(scope, count: count) }
  }
}

/// The columns and scopes of an adapted row.
public struct AdaptedRowLayout: Sendable {
  /// A column of an adapted row.
  public struct Column: Sendable {
    /// The index of the column in the query, counted from 0.
    public var baseIndex: Int
    /// The name of the column in the adapted row.
    public var name: String

    /// Creates a column.
    public init(baseIndex: Int, name: String) {
      self.baseIndex = baseIndex
      self.name = name
    }
  }

  /// The columns, from left to right.
  public var columns: [Column]

  /// The layouts of the scopes, by name.
  public var scopes: [String: AdaptedRowLayout]

  /// The table whose columns the row shows, where a request with associations says so.
  var tableName: String?

  /// Creates a layout.
  public init(columns: [Column], scopes: [String: AdaptedRowLayout] = [:]) {
    self.columns = columns
    self.scopes = scopes
  }
}

extension AdaptedRowLayout {
  /// Returns the leftmost column named `name`, ignoring case.
  func column(named name: String) -> Column? {
    let name = name.asciiLowercased
    return columns.first { $0.name.asciiLowercased == name }
  }

  /// Returns the error of an adapter that requires other columns.
  func mismatch(_ message: String) -> DatabaseError {
    let names = columns.map(\.name).joined(separator: ", ")
    return DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: "\(message): the columns are \(names.isEmpty ? "none" : names)"
    )
  }
}
