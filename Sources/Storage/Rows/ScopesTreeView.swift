extension Row {
  /// The scopes of a row and of its scopes, found by name at any level.
  public struct ScopesTreeView {
    let row: Row

    /// The names of all scopes.
    public var names: Set<String> {
      row.scopes.reduce(into: []) { names, scope in
        names.insert(scope.name)
        names.formUnion(scope.row.scopesTree.names)
      }
    }

    /// The row of the scope with this name that is nearest to the row, or `nil` when there is none.
    public subscript(_ name: String) -> Row? {
      var level = [row]
      while !level.isEmpty {
        for row in level {
          if let found = row.scopes[name] { return found }
        }
        level = level.flatMap { $0.scopes.map(\.row) }
      }
      return nil
    }
  }
}
