extension ValueObservation {
  /// Turns each value into the changes of its elements since the last value that was delivered.
  ///
  /// The first changes insert all elements. After an error, changes continue from the last value.
  /// No change is dropped: see ``ElementChanges``. Elements that share an identity are reported
  /// once, as a ``DuplicateIdentity``. When the observation is shared, each follower's
  /// changes begin with all elements.
  ///
  /// - Parameter id: The identity of an element.
  /// - Returns: An observation of changes.
  @inlinable
  public func changes<Element: Equatable & Sendable, ID: Hashable & SendableMetatype>(
    id: @escaping @Sendable (Element) -> ID
  ) -> ValueObservation<ElementChanges<Element>> where Value == [Element] {
    changes { last, new, patch in
      ElementChanges(from: last, to: new, patch: patch, id: id, areEqual: ==)
    }
  }

  // Comparing is many times as fast where the types are known: in the code of the caller.
  @usableFromInline
  func changes<Element: Sendable>(
    by compare:
      @escaping @Sendable (_ last: [Element], _ new: [Element], _ patch: ElementsPatch?)
      -> ElementChanges<Element>
  ) -> ValueObservation<ElementChanges<Element>> where Value == [Element] {
    let report = DuplicateIdentityReport()
    return with(
      pipeline.appendingForFollowers(
        comparing { last, new in
          let patch = new.origin?.patch(since: last?.origin)
          let changes = compare(last?.value ?? [], new.value, patch)
          report.check(changes)
          return changes
        }
      )
    )
  }

  /// The changes from each value to the next, by the identity of the elements, as an async
  /// sequence. Applying them to an empty array one after the other gives each value.
  ///
  ///     var items: [Item] = []
  ///     for try await changes in observation.changes(in: pool, id: \.id) {
  ///       print("\(changes.inserted.count) new, \(changes.removed.count) removed")
  ///       changes.apply(to: &items)
  ///     }
  ///
  /// Changes of commits that come while the loop's body runs are merged: no change is lost.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - id: The identity of an element.
  /// - Returns: An async sequence of changes.
  /// - Complexity: O(*n*) for a value that was fetched as a whole, or O(*n* log *n*) where many
  ///   elements have moved. A patched value costs no comparison of the elements that stay.
  @inlinable
  public func changes<Element: Equatable & Sendable, ID: Hashable & SendableMetatype>(
    in reader: some DatabaseReader,
    id: @escaping @Sendable (Element) -> ID
  ) -> AsyncValueObservation<ElementChanges<Element>> where Value == [Element] {
    changes(id: id).values(in: reader)
  }

  /// The changes from each value to the next, by the `id` of the elements: see ``changes(in:id:)``.
  @inlinable
  public func changes<Element: Equatable & Identifiable & Sendable>(
    in reader: some DatabaseReader
  ) -> AsyncValueObservation<ElementChanges<Element>>
  where Value == [Element], Element.ID: SendableMetatype {
    changes(in: reader) { $0.id }
  }
}
