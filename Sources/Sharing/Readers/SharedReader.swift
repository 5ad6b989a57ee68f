/// A property whose value follows a database.
///
///     @SharedReader(.fetchAll(sql: "SELECT * FROM item ORDER BY name")) var items: [Item]
///
///     print(items.count)                  // the current value
///     for await items in $items.values {  // and all that follow
///       print(items.count)
///     }
///
/// The first value is fetched when the property is made, on the calling thread; ``init(require:)``
/// fetches it without blocking that. After each commit that changes the result, whoever made it, the
/// value is replaced. Readers with equal keys share one value and one query, which ends with the last
/// reader and the last loop.
///
/// When the query fails, the last value stays and `$items.loadError` says why, until the query
/// succeeds.
///
/// A reader can be used from any thread, task or actor. Copies show the same value, also after
/// ``load(_:)``. In a class that is `Sendable`, and in a global, Swift allows no property wrapper, as its
/// storage is a variable: hold a constant there.
///
///     final class Dashboard: Sendable {
///       let items = SharedReader<[Item]>(.fetchAll(sql: "SELECT * FROM item"))
///       var count: Int { items.wrappedValue.count }
///     }
///
/// In an `@Observable` class, add `@ObservationIgnored`: the reader tells the standard library's
/// Observation by itself of what is read and changes.
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
  /// Assigning a reader lets this one and its copies show what that one shows.
  ///
  /// - Precondition: The assigned reader is not derived from this one.
  public var projectedValue: SharedReader {
    get { self }
    nonmutating set {
      let source = newValue.box.source
      precondition(
        !source.isDerived(from: box),
        "A reader cannot show what is derived from itself."
      )
      box.show(source)
    }
  }

  /// The error of the last run of the query; `nil` when it succeeded.
  public var loadError: (any Error)? { box.source.readLoading().error }

  /// Whether a value is being loaded: by ``load()``, or the first one where it could not be had at once.
  public var isLoading: Bool { box.source.readLoading().isLoading }

  /// Loads the value anew, and returns when it is there. It need not be called to follow a database.
  ///
  /// With a database, the query is run after the call. When this returns, the value of that run is shown, or a
  /// newer one, and no older one follows. The scheduler of the key says where it is delivered.
  ///
  /// - Throws: The error of the query, which is the ``loadError`` then; a `DatabaseError` once the database is
  ///   closed; or `CancellationError`.
  public func load() async throws { try await box.source.load() }

  /// Shows the value of another key from now on, and returns when it is there. The present value stays
  /// until then.
  ///
  ///     @SharedReader(value: []) var items: [Item]
  ///     try await $items.load(.fetchAll(literal: "SELECT * FROM item WHERE name LIKE \(pattern)"))
  ///
  /// The observation of the key before ends, unless others need it. Loops go on with the new key: they
  /// get one value of it, and those that follow. Copies of the reader show the new key too.
  ///
  /// - Throws: The error of the query, which is the ``loadError`` then, or `CancellationError`. The
  ///   reader follows the new key all the same.
  public func load(_ key: some SharedReaderKey<Value>) async throws {
    if let fixed = FixedValues.source(for: key) { return box.show(fixed) }
    let present = box.status().value
    let reference = ReferenceRegistry.shared.reference(for: key) { present }
    box.show(reference)
    try await reference.startAndLoad()
  }
}
