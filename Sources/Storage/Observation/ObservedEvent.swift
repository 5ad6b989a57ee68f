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

/// An event with its place in the order of the events of a query, for those who hand it on: they need
/// not know of what type its value is, and code that does not is much faster.
class AnyObservedMoment: @unchecked Sendable {
  // Safe to share: the number is set before it is, and the rest is constant.
  private(set) final var sequence: UInt64

  fileprivate init(sequence: UInt64) {
    self.sequence = sequence
  }

  /// Gives the event its place. Nobody else knows of it yet.
  final func setSequence(_ sequence: UInt64) { self.sequence = sequence }

  /// The event, of the type of whoever made the moment.
  final func event<Value: Sendable>(of type: Value.Type) -> ObservedEvent<Value> {
    unsafeDowncast(self, to: ObservedMoment<Value>.self).event
  }
}

/// An event with its place in the order of the events of a query.
final class ObservedMoment<Value: Sendable>: AnyObservedMoment, @unchecked Sendable {
  // Safe to share: it adds a constant.
  let event: ObservedEvent<Value>

  /// - Parameters:
  ///   - sequence: Its place; 0 when it is not known yet.
  ///   - event: What is told.
  init(sequence: UInt64 = 0, event: ObservedEvent<Value>) {
    self.event = event
    super.init(sequence: sequence)
  }
}

/// Someone who is told of the events of an observation.
protocol ObservationSubscriber: AnyObject, Sendable {
  /// Takes an event. Events come with rising sequence numbers, but for one that was overtaken by a
  /// newer event on another thread, or that comes a second time: it must be dropped.
  ///
  /// This must not block: it is called by the thread that serves all observations.
  ///
  /// - Returns: A call that somebody must make now, or `nil`.
  func receive(_ moment: AnyObservedMoment) -> (any PendingCall)?

  /// Calls the completion when the events that were received have been called back, or wait to be
  /// taken.
  func flush(_ completion: @escaping @Sendable () -> Void)
}

/// A call of a subscriber's closure that can be made by any thread, but by none that others wait for:
/// the closure may take as long as it likes.
protocol PendingCall: AnyObject, Sendable {
  /// Makes the call on the current thread.
  func make()
  /// Lets another thread make the call.
  func dispatch()
}
