extension Row {
  /// The scopes of a row and of its scopes, found by name at any level.
  public struct ScopesTreeView {
    let row: Row

    /// The names of all scopes.
    public var names: Set<String> {
      Set((row.adapted?.adaptation.nearestScopes ?? [:]).keys)
    }

    /// The row of the scope with this name that is nearest to the row, or `nil` when there is none.
    public subscript(_ name: String) -> Row? {
      guard let adapted = row.adapted else { return nil }
      return adapted.adaptation.nearestScopes[name].map { Row(base: adapted.base, adaptation: $0) }
    }
  }
}
