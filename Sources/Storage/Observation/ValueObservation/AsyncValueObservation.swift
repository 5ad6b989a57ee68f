extension ValueObservation {
  /// The values of the observation, one after the other.
  ///
  ///     for try await items in observation.values(in: pool) {
  ///       print(items.count)
  ///     }
  ///
  /// Each iteration observes separately, from its first step until its task is cancelled, its
  /// iterator is released or the database is closed. The first error ends the iteration with that
  /// error. An iteration over ``results(in:bufferingPolicy:)`` continues after errors.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - bufferingPolicy: The treatment of values that come while the loop's body runs. By default,
  ///     the newest value waits and older values are dropped.
  /// - Returns: An async sequence of values.
  public func values(
    in reader: some DatabaseReader,
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncValueObservation<Value> {
    AsyncValueObservation(
      observation: self,
      core: reader.observableCore,
      bufferingPolicy: bufferingPolicy
    )
  }

  /// The values and errors of the observation, one after the other.
  ///
  ///     for await result in observation.results(in: pool) {
  ///       switch result {
  ///       case .success(let items): print(items.count)
  ///       case .failure(let error): print(error)  // the next success follows
  ///       }
  ///     }
  ///
  /// An error that persists comes once. The sequence ends when its task is cancelled, its iterator
  /// is released or the database is closed.
  ///
  /// - Parameters:
  ///   - reader: A ``DatabasePool`` or a ``DatabaseQueue``.
  ///   - bufferingPolicy: The treatment of results that come while the loop's body runs.
  /// - Returns: An async sequence of results.
  public func results(
    in reader: some DatabaseReader,
    bufferingPolicy: ObservationBufferingPolicy = .newest
  ) -> AsyncObservationResults<Value> {
    AsyncObservationResults(
      observation: self,
      core: reader.observableCore,
      bufferingPolicy: bufferingPolicy
    )
  }

  func makeStream(
    in core: DatabaseCore,
    _ bufferingPolicy: ObservationBufferingPolicy
  ) -> EventStream<Value> {
    pipeline.stream(in: core, options: options, bufferingPolicy: bufferingPolicy)
  }
}

/// The values of a ``ValueObservation``, one after the other: see
/// ``ValueObservation/values(in:bufferingPolicy:)``.
public struct AsyncValueObservation<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Value

  let observation: ValueObservation<Value>
  let core: DatabaseCore
  let bufferingPolicy: ObservationBufferingPolicy

  /// Returns a new iteration. The observation starts with its first step.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: observation.makeStream(in: core, bufferingPolicy))
  }

  /// An iteration over the values.
  public struct Iterator: AsyncIteratorProtocol {
    let events: EventStream<Value>

    /// Returns the next value; `nil` when the task was cancelled or the database closed.
    ///
    /// - Throws: The error of the query. Nothing comes after that.
    public mutating func next() async throws -> Value? {
      switch await events.next() {
      case .value(let numbered):
        return numbered.value
      case .failure(let error):
        events.end()
        throw error
      case .closed, nil:
        events.end()
        return nil
      }
    }

    /// Explains the region of the running observation, and which commits made it run again; `nil`
    /// before the first step and after the end.
    public func explain() -> ObservationExplanation? { events.explain() }
  }
}

/// The values and errors of a ``ValueObservation``, one after the other: see
/// ``ValueObservation/results(in:bufferingPolicy:)``.
public struct AsyncObservationResults<Value: Sendable>: AsyncSequence, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Element = Result<Value, any Error>
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public typealias Failure = Never

  let observation: ValueObservation<Value>
  let core: DatabaseCore
  let bufferingPolicy: ObservationBufferingPolicy

  /// Returns a new iteration. The observation starts with its first step.
  public func makeAsyncIterator() -> Iterator {
    Iterator(events: observation.makeStream(in: core, bufferingPolicy))
  }

  /// An iteration over the results.
  public struct Iterator: AsyncIteratorProtocol {
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    public typealias Failure = Never

    let events: EventStream<Value>

    /// Returns the next result; `nil` when the task was cancelled or the database closed.
    public mutating func next() async -> Result<Value, any Error>? {
      switch await events.next() {
      case .value(let numbered):
        return .success(numbered.value)
      case .failure(let error):
        return .failure(error)
      case .closed, nil:
        events.end()
        return nil
      }
    }

    /// Explains the region of the running observation, and which commits made it run again; `nil`
    /// before the first step and after the end.
    public func explain() -> ObservationExplanation? { events.explain() }
  }
}
