extension SharedReader {
  /// Makes a reader of a key, that shows `wrappedValue` until the key has a value.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>) {
    if let fixed = FixedValues.source(for: key) {
      self.init(source: fixed)
    } else {
      let reference = ReferenceRegistry.shared.reference(for: key, initialValue: wrappedValue)
      reference.startIfNeeded()
      self.init(source: reference)
    }
  }

  // It is disfavored, like the next one, because a key that has a default is to show that.

  /// Makes a reader of a key, that is empty until the key has a value.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var items: [Item]
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) where Value: RangeReplaceableCollection {
    self.init(wrappedValue: Value(), key)
  }

  /// Makes a reader of a key, that is `nil` until the key has a value.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = 1")) var item: Item?
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }

  /// Makes a reader of a key that knows what is shown until it has a value.
  ///
  ///     @SharedReader(.openOrders) var orders
  ///
  /// - Parameter key: See ``SharedReaderKeyDefault``.
  public init<Key: SharedReaderKey<Value>>(_ key: SharedReaderKeyDefault<Key>) {
    self.init(wrappedValue: key.defaultValue(), key)
  }

  /// Loads the first value of a key without blocking the calling thread, and makes a reader of it.
  ///
  ///     let items = try await SharedReader<[Item]>(require: .fetchAll(sql: "SELECT * FROM item"))
  ///
  /// - Throws: The error that keeps the value from being loaded, or `CancellationError`.
  public init(require key: some SharedReaderKey<Value>) async throws {
    if let fixed = FixedValues.source(for: key) {
      self.init(source: fixed)
      return
    }
    let reference = ReferenceRegistry.shared.reference(for: key) { nil }
    try await reference.startAndLoad()
    guard reference.hasValue else { throw NoInitialValue() }
    self.init(source: reference)
  }

  /// Makes a reader of a constant: for tests, and until a key is loaded with ``load(_:)``.
  public init(value: Value) {
    self.init(source: ConstantSource(value))
  }

  /// Makes a copy of a reader. Swift calls it for a parameter that is a property wrapper.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }
}

/// A key that was required to have a value has answered that it has none.
public struct NoInitialValue: Error, Hashable, CustomStringConvertible {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public var description: String { "the key has no value, and there is no initial one" }
}
