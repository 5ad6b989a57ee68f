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

    let events: any EventStream<Value>

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

    /// Explains what the running observation reads, and which commits made it run again; `nil`
    /// before the first step and after the end.
    public func explain() -> ObservationExplanation? { events.explain() }
  }
}
