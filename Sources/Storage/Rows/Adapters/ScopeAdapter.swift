/// Adds scopes to a row: other forms of the same row, each with a name.
///
///     let adapter = ScopeAdapter(["region": SuffixRowAdapter(fromIndex: 3)])
///     let row = try Row.fetchOne(db, sql: sql, adapter: adapter)
///     row?.scopes["region"]
public struct ScopeAdapter: RowAdapter {
  private let base: (any RowAdapter)?
  private let scopes: [String: any RowAdapter]

  /// Adds scopes to rows that keep all of their columns.
  public init(_ scopes: [String: any RowAdapter]) {
    base = nil
    self.scopes = scopes
  }

  /// Adds scopes to the rows of another adapter. The scopes are forms of the query's row, not of the adapted
  /// one.
  public init(base: any RowAdapter, scopes: [String: any RowAdapter]) {
    self.base = base
    self.scopes = scopes
  }

  /// Lays out the columns of the base, with the scopes.
  ///
  /// - Throws: What the adapters throw.
  public func layout(adapting base: AdaptedRowLayout) throws -> AdaptedRowLayout {
    var layout = try self.base?.layout(adapting: base) ?? AdaptedRowLayout(columns: base.columns)
    for (name, adapter) in scopes { layout.scopes[name] = try adapter.layout(adapting: base) }
    return layout
  }
}

extension RowAdapter {
  /// Returns this adapter with scopes, which are forms of the query's row. A scope replaces one of the same name.
  public func addingScopes(_ scopes: [String: any RowAdapter]) -> any RowAdapter {
    scopes.isEmpty ? self : ScopeAdapter(base: self, scopes: scopes)
  }
}
