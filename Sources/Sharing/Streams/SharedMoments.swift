/// Returns the values of several readers as tuples, each from one moment of the database.
///
/// The first tuple is the current one. A tuple follows when one of the values has changed.
///
///     for try await (accounts, total) in values(of: $accounts, $total) {
///       precondition(accounts.map(\.balance).reduce(0, +) == total)
///     }
///
/// Separately, each reader shows its newest value, so one reader may show a later moment than
/// another reader. All values of a tuple are from one snapshot of the database. While the loop's
/// body runs, only the newest tuple is kept, and older tuples are dropped. While a query fails, or
/// no default database is set yet, no tuple comes: the next one follows when all queries succeed.
/// The sequence ends when its task is cancelled, or the database is closed.
///
/// - Parameter readers: Readers of queries of one database, readers derived from them, and
///   constants.
/// - Returns: A sequence of tuples. It throws ``NoCommonMoment`` when the readers do not read the
///   same database, also after one of them has switched to another key.
public func values<each Value: Sendable>(
  of readers: repeat SharedReader<each Value>
) -> SharedMoments<(repeat each Value)> {
  let readers = (repeat each readers)
  return SharedMoments { cursor in
    repeat cursor.follow((each readers).box)
  } makePart: {
    let parts = (repeat try (each readers).box.source.momentPart())
    var queries: [MomentQuery] = []
    for part in repeat each parts {
      if let query = part.query { queries.append(query) }
    }
    return SharedMoments.Part(queries: queries) { moment in
      var fetched = moment.values[...]
      func take<Part: Sendable>(_ part: MomentPart<Part>) -> Part {
        part.make(part.query == nil ? nil : fetched.removeFirst())
      }
      return (repeat take(each parts))
    }
  }
}

/// A sequence of the values of several readers, each tuple from one moment: see ``values(of:)``.
public struct SharedMoments<Element>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = any Error

  /// The queries that all readers need now, and a closure that makes a tuple of their values.
  struct Part {
    let queries: [MomentQuery]
    let make: (Moment) -> Element
  }

  let follow: @Sendable (MomentCursor) -> Void
  let makePart: @Sendable () throws -> Part

  /// Creates an iterator for one loop.
  public func makeAsyncIterator() -> Iterator {
    let cursor = MomentCursor()
    follow(cursor)
    return Iterator(cursor: cursor, makePart: makePart)
  }

  /// The iterator of a loop over tuples.
  public struct Iterator: AsyncIteratorProtocol {
    let cursor: MomentCursor
    let makePart: @Sendable () throws -> Part

    /// The next tuple; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: ``NoCommonMoment``.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The next tuple; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: ``NoCommonMoment``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      while !Task.isCancelled {
        guard let part = try makePartIfPossible() else {
          await cursor.wait(isolation: actor)
          continue
        }
        switch try cursor.poll(part.queries) {
        case .moment(let moment): return part.make(moment)
        case .finished: return nil
        case .nothing: await cursor.wait(isolation: actor)
        }
      }
      return nil
    }

    /// Returns `nil` while a reader waits for the default database, whose arrival changes the
    /// reader.
    private func makePartIfPossible() throws -> Part? {
      do { return try makePart() } catch is NoDefaultDatabase { return nil }
    }
  }
}
