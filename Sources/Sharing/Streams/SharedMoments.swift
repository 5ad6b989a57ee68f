/// The values of several readers, of one moment each: first of the present one, and then of each moment
/// at which one of them has changed.
///
///     for try await (accounts, total) in values(of: $accounts, $total) {
///       precondition(accounts.map(\.balance).reduce(0, +) == total)
///     }
///
/// Each reader by itself shows its newest value, which may be that of a later moment than another
/// reader's. The values of one tuple are from one snapshot of the database. While the loop's body runs,
/// the newest tuple waits and older ones are dropped. Where one of the queries fails, the next tuple comes
/// when all succeed. The sequence ends when its task is cancelled, or the database is closed.
///
/// - Parameter readers: Readers of queries of one database, what is derived from them, and constants.
/// - Returns: A sequence of tuples, which throws ``NoCommonMoment`` when the readers are of different
///   databases, or get to be so.
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

/// The values of several readers, of one moment each, as tuples: see ``values(of:)``.
public struct SharedMoments<Element>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = any Error

  /// The queries that all readers need now, and how a tuple is made of what they fetch.
  struct Part {
    let queries: [MomentQuery]
    let make: (Moment) -> Element
  }

  let follow: @Sendable (MomentCursor) -> Void
  let makePart: @Sendable () throws -> Part

  /// Begins a loop.
  public func makeAsyncIterator() -> Iterator {
    let cursor = MomentCursor()
    follow(cursor)
    return Iterator(cursor: cursor, makePart: makePart)
  }

  /// A loop over tuples.
  public struct Iterator: AsyncIteratorProtocol {
    let cursor: MomentCursor
    let makePart: @Sendable () throws -> Part

    /// The next tuple; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: ``NoCommonMoment``, or ``NoDefaultDatabase``.
    public mutating func next() async throws -> Element? { try await next(isolation: nil) }

    /// The next tuple; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: ``NoCommonMoment``, or ``NoDefaultDatabase``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> Element? {
      while !Task.isCancelled {
        let part = try makePart()
        switch try cursor.look(part.queries) {
        case .moment(let moment): return part.make(moment)
        case .finished: return nil
        case .nothing: await cursor.wait(isolation: actor)
        }
      }
      return nil
    }
  }
}

/// Several readers are asked for values of one moment, and have none in common.
public enum NoCommonMoment: Error, Hashable, CustomStringConvertible {
  /// They read different databases.
  case differentDatabases
  /// The key of one of them fetches from no database.
  case notFetched

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String {
    switch self {
    case .differentDatabases:
      "the readers are of different databases, which have no moment in common"
    case .notFetched:
      "the key of a reader fetches from no database, so that its values belong to no moment of one"
    }
  }
}
