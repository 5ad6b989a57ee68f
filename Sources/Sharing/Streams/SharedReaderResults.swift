extension SharedReader {
  /// The current value or error, and all that follow.
  ///
  ///     for await result in $items.results {
  ///       switch result {
  ///       case .success(let items): print(items.count)
  ///       case .failure(let error): print(error)  // the next success follows
  ///       }
  ///     }
  ///
  /// The sequence behaves like ``values``, but also delivers errors. An error that persists is
  /// delivered once.
  public var results: SharedReaderResults<Value> { SharedReaderResults(box: box) }
}

/// A sequence of the values and errors of a ``SharedReader``: see ``SharedReader/results``.
public struct SharedReaderResults<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Result<Value, any Error>
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let box: ReaderBox<Value>

  /// Creates an iterator for one loop.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor: ReaderCursor(box)) }

  /// The iterator of a loop over values and errors.
  public struct Iterator: AsyncIteratorProtocol {
    let cursor: ReaderCursor<Value>
    private var position: ReaderPosition?

    init(cursor: ReaderCursor<Value>) {
      self.cursor = cursor
    }

    /// The next result; `nil` when the task was cancelled or the database closed.
    public mutating func next() async -> Result<Value, any Error>? { await next(isolation: nil) }

    /// The next result; `nil` when the task was cancelled or the database closed.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async -> Result<Value, any Error>? {
      let before = position
      let status = await cursor.next(isolation: actor) { status in
        guard let before else { return true }
        return status.eventPosition != before && (!status.isPlaceholder || status.error != nil)
      }
      guard let status else { return nil }
      position = status.eventPosition
      // The final error ends a loop. A loop that begins after the end gets it once.
      let error = before == nil ? status.finalError ?? status.error : status.error
      return error.map { .failure($0) } ?? .success(status.value)
    }
  }
}
