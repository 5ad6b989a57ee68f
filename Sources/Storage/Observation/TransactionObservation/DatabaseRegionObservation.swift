/// An observation of all commits that touch a region, one by one, in their order.
///
///     let observation = DatabaseRegionObservation(tracking: DatabaseRegion(table: "item"))
///     let cancellable = observation.start(in: pool) { error in
///       print(error)
///     } onChange: { db in
///       try? db.execute(sql: "UPDATE statistics SET commits = commits + 1")
///     }
///
/// It sees the commits of one writer. Only ``ValueObservation`` sees commits of other connections
/// and of other processes. Use it for tasks that must not miss a single commit, such as a log.
public struct DatabaseRegionObservation: Sendable {
  private let parts: [any DatabaseRegionConvertible]

  /// Observes the union of regions.
  public init(tracking regions: any DatabaseRegionConvertible...) {
    parts = regions
  }

  /// Observes the union of regions.
  public init(tracking regions: [any DatabaseRegionConvertible]) {
    parts = regions
  }

  /// Calls a closure after each commit that touches the region.
  ///
  /// The observation begins with the next write. It does not wait for a running write, and may be
  /// started and cancelled inside a write.
  ///
  /// - Parameters:
  ///   - writer: A ``DatabasePool`` or a ``DatabaseQueue``. It is kept open.
  ///   - onError: Called when the region cannot be determined, for example because a table does not
  ///     exist; once for an error that persists, on a thread of the library. The observation
  ///     continues. When the database is closed, it is called with a ``DatabaseError``, and nothing
  ///     follows.
  ///   - onChange: Called on the thread of the write, right after the commit, before the write
  ///     returns and before the next one begins. The connection may be used in any way.
  /// - Returns: An object that ends the observation, when it is cancelled or released.
  public func start(
    in writer: some DatabaseWriter,
    onError: @escaping @Sendable (any Error) -> Void,
    onChange: @escaping @Sendable (Database) -> Void
  ) -> AnyDatabaseCancellable {
    start(
      in: writer,
      RegionObserver.Handlers(
        onError: onError,
        onChange: { db, _, _ in onChange(db) },
        onClose: { onError(DatabaseError.databaseIsClosed) }
      )
    )
  }

  /// Returns the commits that touch the region. None is dropped: commits wait until they are taken.
  ///
  /// The observation begins when this is called, with the next write. It ends with the iteration,
  /// or when the database is closed.
  ///
  ///     for await change in observation.changes(in: pool) {
  ///       print("commit \(change.number): \(change.region)")
  ///     }
  public func changes(in writer: some DatabaseWriter) -> AsyncStream<Change> {
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    let cancellable = start(
      in: writer,
      RegionObserver.Handlers(
        onError: { _ in },
        onChange: { _, number, region in
          continuation.yield(Change(number: number.rawValue, region: region))
        },
        onClose: { continuation.finish() }
      )
    )
    continuation.onTermination = { _ in cancellable.cancel() }
    return stream
  }

  private func start(
    in writer: some DatabaseWriter,
    _ handlers: RegionObserver.Handlers
  ) -> AnyDatabaseCancellable {
    let core = writer.observableCore
    let observer = RegionObserver(parts, handlers)
    core.registrations.append(.addRegion(observer))
    return AnyDatabaseCancellable {
      observer.cancel()
      core.registrations.append(.removeRegion(observer))
    }
  }
}

extension DatabaseRegionObservation {
  /// A commit that touches the region.
  public struct Change: Hashable, Sendable {
    /// The number of the commit. Snapshots that contain it and nothing later have the same number.
    public let number: UInt64
    /// The part of the region that the commit has changed, or may have.
    public let region: DatabaseRegion
  }
}
