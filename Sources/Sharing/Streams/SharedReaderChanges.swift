extension SharedReader {
  /// The changes of the elements, which are identified by `id`.
  ///
  /// The first changes insert all elements. Later ones are the differences between two values.
  ///
  ///     var items: [Item] = []
  ///     for await changes in $items.changes(id: \.id) {
  ///       print("\(changes.inserted.count) inserted, \(changes.removed.count) removed")
  ///       changes.apply(to: &items)
  ///     }
  ///
  /// Changes that occur while the loop's body runs are merged, so no change is lost. Otherwise the
  /// sequence behaves like ``values``.
  ///
  /// - Parameter id: The identity of an element.
  /// - Returns: A sequence of changes, which ends when ``values`` would end.
  /// - Complexity: O(*n*) for a value that was fetched as a whole, or O(*n* log *n*) where many
  ///   elements have moved. A patched value costs no comparison of the elements that stay.
  public func changes<Element: Equatable & Sendable, ID: Hashable & SendableMetatype>(
    id: @escaping @Sendable (Element) -> ID
  ) -> SharedReaderChanges<Element> where Value == [Element] {
    SharedReaderChanges(values: values) { last, new, patch in
      ElementChanges(from: last, to: new, patch: patch, id: id, areEqual: ==)
    }
  }

  /// The changes of the elements, which are identified by their `id`: see ``changes(id:)``.
  public func changes<Element: Equatable & Identifiable & Sendable>()
    -> SharedReaderChanges<Element>
  where Value == [Element], Element.ID: SendableMetatype {
    changes { $0.id }
  }
}

/// A sequence of the changes of a ``SharedReader``'s elements: see ``SharedReader/changes(id:)``.
public struct SharedReaderChanges<Member: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = ElementChanges<Member>
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let values: SharedReaderValues<[Member]>
  typealias Compare =
    @Sendable (_ last: [Member], _ new: [Member], _ patch: ElementsPatch?) -> ElementChanges<Member>

  let compare: Compare

  /// Creates an iterator for one loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(values: values.makeAsyncIterator(), compare: compare)
  }

  /// The iterator of a loop over changes.
  public struct Iterator: AsyncIteratorProtocol {
    var values: SharedReaderValues<[Member]>.Iterator
    let compare: Compare
    private var last: ReaderStatus<[Member]>?
    private let duplicates = DuplicateIdentityReport()

    init(
      values: SharedReaderValues<[Member]>.Iterator,
      compare: @escaping Compare
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
      while let new = await values.nextStatus(isolation: actor) {
        let patch = new.origin?.patch(since: last?.origin)
        let changes = compare(last?.value ?? [], new.value, patch)
        duplicates.check(changes)
        let isFirst = last == nil
        last = new
        // The reader may have switched to a key with the same elements.
        if isFirst || !changes.isEmpty { return changes }
      }
      return nil
    }
  }
}
