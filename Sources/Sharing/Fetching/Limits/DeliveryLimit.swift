/// How often the values of a key may be delivered.
enum DeliveryLimit: Hashable, Sendable {
  /// One value in each interval. The interval begins with a delivery.
  case throttle(Duration)
  /// One value after each interval in which no newer value came.
  case debounce(Duration)
}
