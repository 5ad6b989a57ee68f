extension SharedReader {
  /// The current value, and all that follow it.
  ///
  ///     for await items in $items.values { print(items.count) }
  ///
  /// The sequence never throws: see ``loadError`` and ``results``. While the loop's body runs, the newest
  /// value waits and older ones are dropped: a slow loop costs no memory. It ends when its task is
  /// cancelled, or the database is closed. Until then it keeps the value up to date, also when no
  /// reader is left. Each loop gets all values, beginning with the current one.
  public var values: SharedReaderValues<Value> { SharedReaderValues(box: box) }
}

/// The values of a ``SharedReader``: see ``SharedReader/values``.
public struct SharedReaderValues<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Value
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let box: ReaderBox<Value>

  /// Begins a loop.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor: ReaderCursor(box)) }

  /// A loop over the values.
  public struct Iterator: AsyncIteratorProtocol {
    let cursor: ReaderCursor<Value>
    private var position: ReaderPosition?
    /// The last value, where a change may have left it as it is.
    private var last: Value?

    init(cursor: ReaderCursor<Value>) {
      self.cursor = cursor
    }

    /// The next value; `nil` when the task was cancelled or the database closed.
    public mutating func next() async -> Value? { await next(isolation: nil) }

    /// The next value; `nil` when the task was cancelled or the database closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      while true {
        // What stands for the value of a new key was told already.
        let before = position
        let status = await cursor.next(isolation: actor) {
          before == nil || ($0.valuePosition != before && !$0.isPlaceholder)
        }
        guard let status else { return nil }
        position = status.valuePosition
        if status.isDerived {
          if before != nil, let last, areEqual(last, status.value) { continue }
          last = status.value
        }
        return status.value
      }
    }
  }
}
