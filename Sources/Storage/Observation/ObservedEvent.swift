/// What an observation tells those who subscribe to it.
enum ObservedEvent<Value: Sendable>: Sendable {
  /// The query returns this.
  case value(Numbered<Value>)
  /// The query fails. The last value stays, and the next success is told.
  case failure(any Error)
  /// The database was closed: nothing comes any more.
  case closed
}

extension ObservedEvent {
  /// The event of the numbered observation.
  var numbered: ObservedEvent<Numbered<Value>> {
    switch self {
    case .value(let numbered): .value(Numbered(number: numbered.number, value: numbered))
    case .failure(let error): .failure(error)
    case .closed: .closed
    }
  }
}

/// A value with the number of the snapshot that it was fetched from.
///
/// Commits of the process get numbers, and so do the moments at which commits of others are noticed.
/// Of two values of one database the one with the higher number is the newer one. Two values with one
/// number contain the same commits of this process; those that were delivered together were fetched
/// from one state. The numbers of a process begin anew when it starts.
public struct Numbered<Value: Sendable>: Sendable {
  /// The number of the last commit that the snapshot contains.
  public let number: UInt64
  /// What was fetched.
  public let value: Value
}

/// An event with its place in the order of the events of a query.
struct ObservedMoment<Value: Sendable>: Sendable {
  let sequence: UInt64
  let event: ObservedEvent<Value>
}

/// Someone who is told of the events of an observation.
protocol ObservationSubscriber<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Takes an event. Events come with rising sequence numbers, but for one that was overtaken by a
  /// newer event on another thread, or that comes a second time: it must be dropped.
  ///
  /// This must not block: it is called by the thread that serves all observations.
  ///
  /// - Returns: A call that somebody must make now, or `nil`.
  func receive(_ event: ObservedEvent<Value>, _ sequence: UInt64) -> PendingCall?

  /// Calls the completion when the events that were received have been called back, or wait to be
  /// taken.
  func flush(_ completion: @escaping @Sendable () -> Void)
}

/// A call of a subscriber's closure that can be made by any thread, but by none that others wait for:
/// the closure may take as long as it likes.
struct PendingCall: Sendable {
  /// Makes the call on the current thread.
  let run: @Sendable () -> Void
  /// Lets another thread make the call.
  let dispatch: @Sendable () -> Void
}
