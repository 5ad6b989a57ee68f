/// Follows the transactions of a writing connection: each changed row, each commit and each rollback.
///
///     final class Log: TransactionObserver {
///       var count = 0
///       func observes(eventsOfKind kind: DatabaseEventKind) -> Bool { kind.tableName == "item" }
///       func databaseDidChange(with event: DatabaseEvent) { count += 1 }
///       func databaseDidCommit(_ db: Database) { print("\(count) rows") }
///       func databaseDidRollback(_ db: Database) { count = 0 }
///     }
///     try pool.write { db in db.add(transactionObserver: Log()) }
///
/// An observer is told of the transactions of the connection that it was added to, and of no others:
/// those of other processes, for one, are seen by ``ValueObservation`` only.
///
/// All methods are called on the thread of the write. Following rows costs something for each row
/// that changes, also for those of other tables, while an observer is there.
///
/// Changes that are undone are not told: those of a failed statement, and those of a savepoint that
/// was rolled back. So inside of savepoints events wait for the end of the outermost one.
public protocol TransactionObserver: AnyObject {
  /// Whether the observer wants to be told of changes of a kind. It is asked while a statement makes
  /// such changes, and must not use the database.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

  /// A row is about to change. It is called in the middle of the statement, which may still fail or be
  /// undone, and must not use the database.
  func databaseWillChange(with event: DatabasePreUpdateEvent)

  /// A row has changed. It is called when its statement has ended, and must not use the database.
  func databaseDidChange(with event: DatabaseEvent)

  /// Rows that the observer is interested in have changed, or may have, without an event for each:
  /// see ``Database/notifyChanges(in:)`` and ``Database/recordChangeset(tables:_:)``.
  func databaseDidChange()

  /// The transaction is about to be committed. It must not use the database.
  ///
  /// - Throws: Whatever shall keep the transaction from being committed. It is rolled back, and the
  ///   error is thrown by the write.
  func databaseWillCommit() throws

  /// The transaction was committed. The connection may be used in any way.
  func databaseDidCommit(_ db: Database)

  /// The transaction was rolled back. The connection may be used in any way.
  func databaseDidRollback(_ db: Database)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension TransactionObserver {
  public func databaseWillChange(with event: DatabasePreUpdateEvent) {}
  public func databaseDidChange(with event: DatabaseEvent) {}
  public func databaseDidChange() {}
  public func databaseWillCommit() throws {}
  public func databaseDidCommit(_ db: Database) {}
  public func databaseDidRollback(_ db: Database) {}
}

extension TransactionObserver {
  /// Stops the events of the running transaction for this observer; its end is still told.
  ///
  /// - Precondition: It is called from ``databaseDidChange(with:)`` or ``databaseDidChange()``.
  public func stopObservingDatabaseChangesUntilNextTransaction() {
    guard let current = ObserverList.current, current.observer === self else {
      preconditionFailure(
        """
        stopObservingDatabaseChangesUntilNextTransaction() was called outside of \
        databaseDidChange(with:): call it from there.
        """
      )
    }
    current.isStopped = true
  }
}

/// How long an observer is told of transactions.
public enum TransactionObservationExtent: Sendable {
  /// As long as somebody else holds the observer.
  case observerLifetime
  /// Until the end of the running transaction, or of the next one when none is running. The database
  /// holds the observer until then.
  case nextTransaction
  /// As long as the connection is open. The database holds the observer.
  case databaseLifetime
}

extension Database {
  /// Adds an observer of this connection's transactions, the running one included.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is added once only.
  ///   - extent: How long it is told.
  /// - Precondition: The connection is one that writes.
  public func add(
    transactionObserver: some TransactionObserver,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    changeTracker.add(TransactionObservation(transactionObserver, extent: extent))
  }

  /// Removes an observer. Nothing happens when it was not added.
  ///
  /// - Precondition: The connection is one that writes.
  public func remove(transactionObserver: some TransactionObserver) {
    changeTracker.remove(ObjectIdentifier(transactionObserver))
  }

  var changeTracker: ChangeTracker {
    guard let tracker = hooks as? ChangeTracker else {
      preconditionFailure("Only a connection that writes can be observed: use write, not read.")
    }
    return tracker
  }
}

extension DatabaseWriter {
  /// Adds an observer of the transactions of this database's writer, from the next one on.
  ///
  /// It does not wait for a running write, and may be called in one.
  ///
  /// - Parameters:
  ///   - transactionObserver: The observer, which is added once only.
  ///   - extent: How long it is told.
  public func add(
    transactionObserver: some TransactionObserver & Sendable,
    extent: TransactionObservationExtent = .observerLifetime
  ) {
    let observation = TransactionObservation(transactionObserver, extent: extent)
    observableCore.registrations.append(.add(observation))
  }

  /// Removes an observer, before the next transaction. Nothing happens when it was not added.
  public func remove(transactionObserver: some TransactionObserver & Sendable) {
    observableCore.registrations.append(.remove(ObjectIdentifier(transactionObserver)))
  }
}
