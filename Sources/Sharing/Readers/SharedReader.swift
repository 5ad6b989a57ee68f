/// A property whose value follows a database.
///
///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
///
///     print(items.count)                  // the current value
///     for await items in $items.values {  // and all that follow
///       print(items.count)
///     }
///
/// The first value is fetched on the calling thread when the property is created.
/// ``init(require:)`` fetches it without blocking that thread. After each commit that changes the
/// result, by any connection or process, the value is replaced. Readers with equal keys share one
/// value and one query. The query ends when the last reader and the last loop have ended.
///
/// When the query fails, the reader keeps its last value, and `$items.loadError` is the error until
/// the query succeeds.
///
/// A reader can be used from any thread, task or actor. Copies show the same value, also after
/// ``load(_:)``. Swift allows no property wrapper in a `Sendable` class or as a global, because its
/// storage is a variable. Store the reader in a constant there:
///
///     final class Dashboard: Sendable {
///       let items = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item"))
///       var count: Int { items.wrappedValue.count }
///     }
///
/// In an `@Observable` class, add `@ObservationIgnored`: the reader itself reports reads and
/// changes to the standard library's Observation.
///
///     @Observable @MainActor final class Model {
///       @ObservationIgnored @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var items: [Item]
///     }
@dynamicMemberLookup
@propertyWrapper
public struct SharedReader<Value: Sendable>: Sendable {
  let box: ReaderBox<Value>

  init(source: some ReaderSource<Value>) {
    box = ReaderBox(source)
  }

  /// The current value.
  public var wrappedValue: Value { box.read() }

  /// The reader itself, as `$items`.
  ///
  /// After a reader is assigned, this reader and its copies show the value of the assigned reader.
  ///
  /// - Precondition: The assigned reader is not derived from this one.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set {
      let source = newValue.box.source
      precondition(
        !source.isDerived(from: box),
        "A reader cannot show what is derived from itself. Assign a reader of another key."
      )
      box.show(source)
    }
  }

  /// The error of the last run of the query; `nil` when it succeeded.
  public var loadError: (any Error)? { box.source.readLoading().error }

  /// Whether a value is being loaded.
  ///
  /// This is the case during ``load()``, and before the first value of a key that does not provide
  /// it immediately.
  public var isLoading: Bool { box.source.readLoading().isLoading }

  /// Loads the value again, and returns when it is shown.
  ///
  /// A reader follows its database without this method. If the key reads a database, its query
  /// starts after the call. When this method returns, the reader shows the value of that run or a
  /// newer one, and no older value follows. The scheduler of the key determines where the value is
  /// delivered.
  ///
  /// - Throws: The error of the query, which is then the ``loadError``; a `DatabaseError` once the
  ///   database is closed; or `CancellationError`.
  public func load() async throws { try await box.source.load() }

  /// Switches to another key, and returns when its first value is shown.
  ///
  /// The reader keeps its current value until then.
  ///
  ///     @SharedReader(value: []) var items: [Item]
  ///     try await $items.load(.fetchAll(literal: "SELECT * FROM item WHERE name LIKE \(pattern)"))
  ///
  /// The observation of the previous key ends, unless other readers need it. Loops continue with
  /// the first value of the new key and the values that follow. Copies of the reader switch too.
  ///
  /// - Throws: The error of the query, which is then the ``loadError``, or `CancellationError`. The
  ///   reader follows the new key in either case.
  public nonisolated(nonsending) func load(_ key: some SharedReaderKey<Value>) async throws {
    if let fixed = FixedValues.source(for: key) { return box.show(fixed) }
    let present = box.status().value
    let reference = ReferenceRegistry.shared.reference(for: key) { present }
    box.show(reference)
    try await reference.startAndLoad()
  }
}
