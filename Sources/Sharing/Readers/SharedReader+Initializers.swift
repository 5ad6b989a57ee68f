extension SharedReader {
  /// Creates a reader of a key, which shows `wrappedValue` until the key has a value.
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

  // This initializer and the next one are disfavored, so that a key with a default shows its
  // default.

  /// Creates a reader of a key, which is empty until the key has a value.
  ///
  ///     @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var items: [Item]
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) where Value: RangeReplaceableCollection {
    self.init(wrappedValue: Value(), key)
  }

  /// Creates a reader of a key, which is `nil` until the key has a value.
  ///
  ///     @SharedReader(.fetchOne(sql: "SELECT * FROM item WHERE id = 1")) var item: Item?
  @_disfavoredOverload
  public init(_ key: some SharedReaderKey<Value>) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }

  /// Creates a reader of a key with a default, which the reader shows until the key has a value.
  ///
  ///     @SharedReader(.openOrders) var orders
  ///
  /// - Parameter key: A key with a default: see ``SharedReaderKeyDefault``.
  public init<Key: SharedReaderKey<Value>>(_ key: SharedReaderKeyDefault<Key>) {
    self.init(wrappedValue: key.defaultValue(), key)
  }

  /// Loads the first value of a key without blocking the calling thread, and creates its reader.
  ///
  ///     let items = try await SharedReader<[Item]>(require: .fetchAll(sql: "SELECT * FROM item"))
  ///
  /// - Throws: The error of the load, ``NoInitialValue``, or `CancellationError`.
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

  /// Creates a reader of a constant, for tests or until a key is loaded with ``load(_:)``.
  public init(value: Value) {
    self.init(source: ConstantSource(value))
  }

  /// Creates a copy of a reader. Swift calls this initializer for property-wrapper parameters.
  public init(projectedValue: SharedReader) {
    self = projectedValue
  }
}
