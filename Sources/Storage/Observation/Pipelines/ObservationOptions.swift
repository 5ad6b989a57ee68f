/// The options of a subscriber that do not depend on the type of its values.
struct ObservationOptions: Sendable {
  /// The shortest time between two values.
  var interval: Duration?
  /// The shortest time between two runs of the query, where the subscriber itself holds values
  /// back; by default ``interval``.
  var pace: Duration?
  var willStart: [@Sendable () -> Void] = []
  var didCancel: [@Sendable () -> Void] = []
  /// Flushes the subscribers to which this one passes the events on.
  var flushDownstream: ObservationFlush?
}
