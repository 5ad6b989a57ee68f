/// A row adapter that adds scopes to a row: other forms of the same row, each with a name.
///
///     let adapter = ScopeAdapter(["region": SuffixRowAdapter(fromIndex: 3)])
///     let row = try Row.fetchOne(db, sql: sql, adapter: adapter)
///     row?.scopes["region"]
public struct ScopeAdapter: RowAdapter, Hashable {
  private let base: HashableRowAdapter?
  private let scopes: [String: HashableRowAdapter]

  /// Creates an adapter that keeps all columns and adds scopes.
  public init(_ scopes: [String: any RowAdapter]) {
    base = nil
    self.scopes = scopes.mapValues { HashableRowAdapter($0) }
  }

  /// Creates an adapter that adds scopes to the rows of another adapter.
  ///
  /// The scopes are forms of the query's row, not of the adapted row.
  public init(base: any RowAdapter, scopes: [String: any RowAdapter]) {
    self.base = HashableRowAdapter(base)
    self.scopes = scopes.mapValues { HashableRowAdapter($0) }
  }

  /// Lays out the columns of the base adapter together with the scopes.
  ///
  /// - Throws: The errors of the base adapter and the scopes.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    var layout =
      try self.base?.adapter.layout(adapting: base) ?? AdaptedRowLayout(columns: base.columns)
    for (name, scope) in scopes { layout.scopes[name] = try scope.adapter.layout(adapting: base) }
    return layout
  }
}

extension RowAdapter {
  /// Returns this adapter with additional scopes. A scope replaces an existing scope of the same
  /// name.
  ///
  /// The scopes are forms of the query's row, not of the adapted row.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    scopes.isEmpty ? self : ScopeAdapter(base: self, scopes: scopes)
  }
}
