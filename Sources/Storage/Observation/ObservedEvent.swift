/// What an observation tells those who subscribe to it.
enum ObservedEvent<Value: Sendable>: Sendable {
  /// The query returns this.
  case value(Numbered<Value>)
  /// The query fails. The last value stays, and the next success is told.
  case failure(any Error)
  /// The database was closed: nothing comes any more.
  case closed
}

/// A value with the number of the snapshot that it was fetched from.
///
/// Commits of the process get numbers, and so do the moments at which commits of others are noticed.
/// Of two values of one database the one with the higher number is the newer one; two values with
/// one number were fetched from one state. The numbers of a process begin anew when it starts.
public struct Numbered<Value: Sendable>: Sendable {
  /// The number of the last commit that the snapshot contains.
  public let number: UInt64
  /// What was fetched.
  public let value: Value
}

/// Someone who is told of the events of an observation.
protocol ObservationSubscriber<Value>: AnyObject, Sendable {
  associatedtype Value: Sendable

  /// Takes an event. Events come with rising sequence numbers, but for one that was overtaken by a
  /// newer event on another thread: it must be dropped.
  ///
  /// This must not block: it is called by the queue that serves all observations.
  func receive(_ event: ObservedEvent<Value>, _ sequence: UInt64)
}
