/// A key whose subscription also delivers the first value, and no value that equals the previous
/// one.
///
/// The subscription can be refreshed, so loaded values and observed values arrive in one order.
protocol LiveKey: SelfIdentifyingKey {}
