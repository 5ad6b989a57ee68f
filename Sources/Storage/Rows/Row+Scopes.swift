extension Row {
  /// The scopes that a ``ScopeAdapter`` adds to the row; empty for other rows.
  public var scopes: ScopesView {
    guard let adapted else { return ScopesView(base: self, adaptations: [:]) }
    return ScopesView(base: adapted.base, adaptations: adapted.adaptation.scopes)
  }

  /// The scopes of the row and of its scopes, at all levels.
  public var scopesTree: ScopesTreeView { ScopesTreeView(row: self) }

  /// The row without its scopes and its associated rows.
  public var unscoped: Row {
    if unadapted.prefetched != nil {
      // The associated rows belong to the row of the statement, so this is a copy of that row.
      let base = Row(layout: unadapted.layout, values: unadapted.databaseValues)
      return adapted.map { Row(base: base, adaptation: $0.adaptation.unscoped) } ?? base
    }
    guard let adapted, !adapted.adaptation.scopes.isEmpty else { return self }
    return Row(base: adapted.base, adaptation: adapted.adaptation.unscoped)
  }

  /// The row as the query returns it, without adapters.
  public var unadapted: Row { adapted?.base ?? self }
}

extension Row: CustomDebugStringConvertible {
  /// The row, the row without adapters, and the scopes, one per line.
  public var debugDescription: String {
    guard adapted != nil else { return description }
    var lines = ["▿ \(description)", "  unadapted: \(unadapted.description)"]
    appendScopes(to: &lines, indentation: "  ")
    return lines.joined(separator: "\n")
  }

  private func appendScopes(to lines: inout [String], indentation: String) {
    for (name, row) in scopes {
      lines.append("\(indentation)- \(name): \(row.description)")
      row.appendScopes(to: &lines, indentation: indentation + "  ")
    }
  }
}
