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

extension Row {
  /// The rows of the scopes of a row, by name.
  public struct ScopesView: Collection {
    /// A scope: its name and its row.
    public typealias Element = (name: String, row: Row)

    /// The position of a scope.
    public struct Index: Comparable, Sendable {
      let offset: Int

      /// Orders positions.
      public static func < (left: Index, right: Index) -> Bool { left.offset < right.offset }
    }

    private let base: Row
    private let adaptations: [String: RowAdaptation]
    /// The names of the scopes, sorted.
    public let names: [String]

    init(base: Row, adaptations: [String: RowAdaptation]) {
      self.base = base
      self.adaptations = adaptations
      names = adaptations.keys.sorted()
    }

    /// The row of a scope, or `nil` when the scope does not exist.
    public subscript(_ name: String) -> Row? {
      adaptations[name].map { Row(base: base, adaptation: $0) }
    }

    /// The position of the first scope.
    public var startIndex: Index { Index(offset: 0) }
    /// The position after the last scope.
    public var endIndex: Index { Index(offset: names.count) }
    /// Returns the position after another position.
    public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }
    /// The scope at a position.
    public subscript(position: Index) -> Element {
      let name = names[position.offset]
      return (name, self[name]!)
    }
  }
}

extension Row {
  /// The scopes of a row and of its scopes, found by name at any level.
  public struct ScopesTreeView {
    let row: Row

    /// The names of all scopes.
    public var names: Set<String> {
      Set((row.adapted?.adaptation.nearestScopes ?? [:]).keys)
    }

    /// The row of the nearest scope with this name, or `nil` when no scope has it.
    public subscript(_ name: String) -> Row? {
      guard let adapted = row.adapted else { return nil }
      return adapted.adaptation.nearestScopes[name].map { Row(base: adapted.base, adaptation: $0) }
    }
  }
}
