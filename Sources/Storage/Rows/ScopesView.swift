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

    /// The row of a scope, or `nil` when there is no such scope.
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
