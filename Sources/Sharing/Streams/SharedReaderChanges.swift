extension SharedReader {
  /// What changes of the elements, by their identity: first all elements as inserted ones, and then what
  /// differs from value to value.
  ///
  ///     var items: [Item] = []
  ///     for await changes in $items.changes(id: \.id) {
  ///       print("\(changes.inserted.count) new, \(changes.removed.count) gone")
  ///       changes.apply(to: &items)
  ///     }
  ///
  /// While the loop's body runs, changes are put together: none is lost. It is otherwise like ``values``.
  ///
  /// - Parameter id: The identity of an element.
  /// - Returns: A sequence of changes, which ends as ``values`` does.
  /// - Complexity: O(*n*) for each value; O(*n* log *n*) where many elements have moved.
  public func changes<Element: Equatable & Sendable, ID: Hashable & SendableMetatype>(
    id: @escaping @Sendable (Element) -> ID
  ) -> SharedReaderChanges<Element> where Value == [Element] {
    SharedReaderChanges(values: values) { last, new in
      ElementChanges(from: last, to: new, id: id, areEqual: ==)
    }
  }

  /// What changes of the elements, by their `id`: see ``changes(id:)``.
  public func changes<Element: Equatable & Identifiable & Sendable>()
    -> SharedReaderChanges<Element>
  where Value == [Element], Element.ID: SendableMetatype {
    changes { $0.id }
  }
}

/// What changes of the elements of a ``SharedReader``: see ``SharedReader/changes(id:)``.
public struct SharedReaderChanges<Member: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = ElementChanges<Member>
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let values: SharedReaderValues<[Member]>
  let compare: @Sendable (_ last: [Member], _ new: [Member]) -> ElementChanges<Member>

  /// Begins a loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), compare: compare)
  }

  /// A loop over changes.
  public struct Iterator: AsyncIteratorProtocol {
    var values: SharedReaderValues<[Member]>.Iterator
    let compare: @Sendable (_ last: [Member], _ new: [Member]) -> ElementChanges<Member>
    private var last: [Member]?

    init(
      values: SharedReaderValues<[Member]>.Iterator,
      compare: @escaping @Sendable (_ last: [Member], _ new: [Member]) -> ElementChanges<Member>
    ) {
      self.values = values
      self.compare = compare
    }

    /// The next changes; `nil` when the task was cancelled or the database closed.
    public mutating func next() async -> ElementChanges<Member>? { await next(isolation: nil) }

    /// The next changes; `nil` when the task was cancelled or the database closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> ElementChanges<Member>? {
      while let new = await values.next(isolation: actor) {
        let changes = compare(last ?? [], new)
        let isFirst = last == nil
        last = new
        // Another key may have the same elements.
        if isFirst || !changes.isEmpty { return changes }
      }
      return nil
    }
  }
}
