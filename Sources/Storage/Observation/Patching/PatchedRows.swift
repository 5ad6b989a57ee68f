/// A result with elements that can be patched.
protocol PatchedElements<Element>: Sendable {
  associatedtype Element

  var elements: [Element] { get set }
  /// What the next patch must know of each commit.
  var inputs: PatchInputs { get }
}

/// A result whose elements are made of the rows of queries.
protocol PatchedRows<Element>: PatchedElements {
  /// Patches the result.
  ///
  /// - Parameters:
  ///   - changed: All rows of its tables that have changed since the result was current.
  ///   - db: A snapshot in which no other row has changed.
  ///   - form: What elements are made of.
  ///   - decode: Makes an element of a row.
  /// - Returns: Which elements have changed; `nil` when the whole query must run.
  /// - Throws: Any error, after which the whole query must run.
  mutating func patch(
    changed: ChangedRows,
    _ db: Database,
    _ form: RowForm,
    _ decode: @escaping (Row) throws -> Element
  ) throws -> RowPatch?
}

extension PatchedElements {
  /// Replaces the elements by equal ones.
  mutating func share(_ equal: [Element]) {
    if equal.count == elements.count { elements = equal }
  }
}
