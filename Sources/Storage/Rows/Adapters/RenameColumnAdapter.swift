/// A row adapter that renames all columns.
///
///     RenameColumnAdapter { "wine_" + $0 }
public struct RenameColumnAdapter: RowAdapter {
  private let rename: @Sendable (String) -> String

  /// Creates an adapter that calls a closure with each column name of the query.
  public init(_ rename: @escaping @Sendable (String) -> String) {
    self.rename = rename
  }

  /// Lays out all columns under their new names.
  public func layout(adapting base: AdaptedRowLayout) -> AdaptedRowLayout {
    AdaptedRowLayout(
      columns: base.columns.map {
        AdaptedRowLayout.Column(baseIndex: $0.baseIndex, name: rename($0.name))
      }
    )
  }
}
