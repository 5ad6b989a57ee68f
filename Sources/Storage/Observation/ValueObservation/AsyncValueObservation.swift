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
    let events: any EventStream<Value>

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

    /// Explains what the running observation reads, and which commits made it run again; `nil`
    /// before the first step and after the end.
    public func explain() -> ObservationExplanation? { events.explain() }
  }
}
