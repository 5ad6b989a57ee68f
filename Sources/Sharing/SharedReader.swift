/// A property whose value follows a database.
///
///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
///
///     print(items.count)                  // the current value
///     for await items in $items.values {  // and all that follow
///       print(items.count)
///     }
///
/// The first value is fetched when the property is made. After each commit that changes the result,
/// whoever made it, the value is replaced. Readers with equal keys share one value and one query.
///
/// When the query fails, the last value stays and `$items.loadError` says why, until the query
/// succeeds.
///
/// A reader can be used from any thread or task, and copied: copies show the same value.
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  private let reference: SharedReference<Value>

  /// Makes a reader of a key, that shows `wrappedValue` until the key has a value.
  public init(wrappedValue: @autoclosure () -> Value, _ key: some SharedReaderKey<Value>) {
    reference = ReferenceRegistry.shared.reference(for: key, initialValue: wrappedValue)
    reference.startIfNeeded()
  }

  /// Makes a reader of a key, that is empty until the key has a value.
  public init(_ key: some SharedReaderKey<Value>) where Value: RangeReplaceableCollection {
    self.init(wrappedValue: Value(), key)
  }

  /// Makes a reader of a key, that is `nil` until the key has a value.
  public init(_ key: some SharedReaderKey<Value>) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, key)
  }

  /// Makes a reader of a constant.
  public init(value: Value) {
    reference = SharedReference(initialValue: value, key: nil)
  }

  /// The current value.
  public var wrappedValue: Value { reference.value }

  /// The reader itself.
  public var projectedValue: SharedReader { self }

  /// The error of the last run of the query; `nil` when it succeeded.
  public var loadError: (any Error)? { reference.loadError }

  /// The current value, and all that follow it.
  ///
  /// The stream never throws: see ``loadError``. While the loop's body runs, the newest value waits
  /// and older ones are dropped. The stream ends when its task is cancelled or the database is closed.
  public var values: AsyncStream<Value> { reference.values() }

  /// Fetches the value anew, and returns when it is there.
  ///
  /// - Throws: The error of the query, which is the ``loadError`` then, or `CancellationError`.
  public func load() async throws { try await reference.load() }
}

extension SharedReader: CustomStringConvertible {
  /// The description of the current value.
  public var description: String { "SharedReader(\(wrappedValue))" }
}
