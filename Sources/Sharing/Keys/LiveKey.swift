/// A key whose subscription also delivers the first value.
///
/// The subscription can be refreshed, so loaded values and observed values arrive in one order.
protocol LiveKey: SelfIdentifyingKey {
  /// Whether the subscription may deliver a value that equals the previous one.
  var mayRepeatValues: Bool { get }
}
