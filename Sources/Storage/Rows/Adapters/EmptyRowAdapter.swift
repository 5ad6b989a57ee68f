/// A row adapter that hides all columns. It serves as the base of a ``ScopeAdapter``.
public struct EmptyRowAdapter: RowAdapter, Hashable {
  /// Creates the adapter.
  public init() {}

  /// Lays out no columns.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(columns: [])
  }
}
