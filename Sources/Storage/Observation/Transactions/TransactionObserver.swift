/// Observes the transactions of a writing connection: each changed row, each commit and each
/// rollback.
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
/// An observer sees only the transactions of the connection that it was added to: only
/// ``ValueObservation`` sees commits of other processes, for example.
///
/// All methods are called on the thread of the write. While there is an observer, each changed row
/// costs some time, also in tables that it does not observe.
///
/// There are no events for changes that are undone by a failed statement or by the rollback of a
/// savepoint. So inside savepoints, events wait for the end of the outermost savepoint. There is
/// one exception: a statement that a function runs inside a failed statement has its events,
/// because SQLite does not say whether it has undone that statement too.
///
/// A transaction that has changed nothing is committed like any other one: its observers are asked,
/// and notified. A statement that fails outside a transaction is not a transaction.
public protocol TransactionObserver: AnyObject {
  /// Returns whether the observer wants the events of a kind of changes. It is called while a
  /// statement makes such changes, and must not use the database.
  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool

  /// A row is about to change. The method is called in the middle of the statement, which may still
  /// fail or be undone, and must not use the database.
  func databaseWillChange(with event: DatabasePreUpdateEvent)

  /// A row has changed. The method is called when its statement has ended, and must not use the
  /// database.
  func databaseDidChange(with event: DatabaseEvent)

  /// Rows that the observer is interested in have changed, or may have, without an event for each:
  /// see ``Database/notifyChanges(in:)`` and ``Database/recordChangeset(tables:_:)``.
  func databaseDidChange()

  /// The transaction is about to be committed. The method must not use the database.
  ///
  /// - Throws: An error to prevent the commit. The transaction is rolled back, and the write throws
  ///   the error.
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
  /// Stops the events of the running transaction for this observer, except its end.
  ///
  /// - Precondition: It is called from ``databaseDidChange(with:)`` or ``databaseDidChange()``.
  public func stopObservingDatabaseChangesUntilNextTransaction() {
    guard let current = ObserverList.current, current.observer === self else {
      preconditionFailure(
        """
        stopObservingDatabaseChangesUntilNextTransaction() was called outside \
        databaseDidChange(with:): call it from there.
        """
      )
    }
    current.isStopped = true
  }
}
