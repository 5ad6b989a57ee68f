// MARK: - Scopes

extension Row {
  /// The scopes of the row, which a ``ScopeAdapter`` gives it; empty for other rows.
  public var scopes: ScopesView {
    guard let adapted else { return ScopesView(base: self, adaptations: [:]) }
    return ScopesView(base: adapted.base, adaptations: adapted.adaptation.scopes)
  }

  /// The scopes of the row, those of its scopes, and so on.
  public var scopesTree: ScopesTreeView { ScopesTreeView(row: self) }

  /// The row without its scopes.
  public var unscoped: Row {
    guard let adapted, !adapted.adaptation.scopes.isEmpty else { return self }
    return Row(base: adapted.base, adaptation: adapted.adaptation.unscoped)
  }

  /// The row as the query gives it, without any adapter.
  public var unadapted: Row { adapted?.base ?? self }

  /// The rows that scopes show, by name.
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

    /// The row that a scope shows, or `nil` when there is no such scope.
    public subscript(_ name: String) -> Row? {
      adaptations[name].map { Row(base: base, adaptation: $0) }
    }

    /// The position of the first scope.
    public var startIndex: Index { Index(offset: 0) }
    /// The position after the last scope.
    public var endIndex: Index { Index(offset: names.count) }
    /// Returns the position after another one.
    public func index(after index: Index) -> Index { Index(offset: index.offset + 1) }
    /// The scope at a position.
    public subscript(position: Index) -> Element {
      let name = names[position.offset]
      return (name, self[name]!)
    }
  }

  /// The scopes of a row and of its scopes, found by name wherever they are.
  public struct ScopesTreeView {
    let row: Row

    /// The names of all scopes.
    public var names: Set<String> {
      row.scopes.reduce(into: []) { names, scope in
        names.insert(scope.name)
        names.formUnion(scope.row.scopesTree.names)
      }
    }

    /// The row of the scope of this name that is nearest to the row; `nil` when there is none.
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

extension Row: CustomDebugStringConvertible {
  /// The row with its scopes, one a line, and the row without adapters.
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
