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
  /// The scopes at all levels, by name: of several with one name, the one that is nearest.
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
