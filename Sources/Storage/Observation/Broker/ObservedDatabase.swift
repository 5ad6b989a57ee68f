/// A database that can be observed. Its observations hold it, so that it stays open as long as they
/// live.
protocol ObservedDatabase: AnyObject, Sendable {
  var broker: ObservationBroker { get }
}
