extension SharedReader: Equatable where Value: Equatable {
  /// Whether the current values are equal.
  public static func == (left: SharedReader, right: SharedReader) -> Bool {
    left.wrappedValue == right.wrappedValue
  }
}

extension SharedReader: Hashable where Value: Hashable {
  /// Hashes the current value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension SharedReader: Identifiable where Value: Identifiable {
  /// The identity of the current value.
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: CustomStringConvertible {
  /// The description of the current value.
  public var description: String { "SharedReader(\(wrappedValue))" }
}
