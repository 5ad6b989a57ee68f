extension SharedReader {
  /// The current value, and all that follow.
  ///
  ///     for await items in $items.values { print(items.count) }
  ///
  /// The sequence never throws: see ``loadError`` and ``results``. While the loop's body runs, only
  /// the newest value is kept and older ones are dropped, so a slow loop costs no memory. The
  /// sequence ends when its task is cancelled, or the database is closed. Until then it keeps the
  /// value up to date, even when no reader is left. Each loop gets all values, starting with the
  /// current one.
  public var values: SharedReaderValues<Value> { SharedReaderValues(box: box) }
}

/// A sequence of the values of a ``SharedReader``: see ``SharedReader/values``.
public struct SharedReaderValues<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Value
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let box: ReaderBox<Value>

  /// Creates an iterator for one loop.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor: ReaderCursor(box)) }

  /// Waits for the first value that a closure wants, and returns it; `nil` when the task was
  /// cancelled or the database closed.
  ///
  ///     let full = await $items.values.first { $0.count == 10 }
  ///
  /// The closure runs where the caller does, such as on the main actor. The method of the standard
  /// library, which leaves the actor, does not compile there.
  public nonisolated(nonsending) func first(
    where predicate: (Value) throws -> Bool
  ) async rethrows -> Value? {
    for await value in self where try predicate(value) { return value }
    return nil
  }

  /// The iterator of a loop over values.
  public struct Iterator: AsyncIteratorProtocol {
    let cursor: ReaderCursor<Value>
    private var position: ReaderPosition?
    /// The last value of a derived reader, which may be equal to the next one.
    private var last: Value?

    init(cursor: ReaderCursor<Value>) {
      self.cursor = cursor
    }

    /// The next value; `nil` when the task was cancelled or the database closed.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// The next value; `nil` when the task was cancelled or the database closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await nextStatus(isolation: actor)?.value
    }

    /// The next value, and how it came about.
    mutating func nextStatus(
      isolation actor: isolated (any Actor)?
    ) async -> ReaderStatus<Value>? {
      while true {
        // A placeholder for the value of a new key is the value that the loop got last.
        let before = position
        let status = await cursor.next(isolation: actor) {
          before == nil || ($0.valuePosition != before && !$0.isPlaceholder)
        }
        guard let status else { return nil }
        position = status.valuePosition
        if status.isDerived {
          if before != nil, let last, areEqual(last, status.value) { continue }
          last = status.value
        } else {
          // A derived value that follows is compared with no value before this one.
          last = nil
        }
        return status
      }
    }
  }
}
