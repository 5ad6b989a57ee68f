/// How long an observer observes transactions.
public enum TransactionObservationExtent: Sendable {
  /// As long as the program holds the observer.
  case observerLifetime
  /// Until the end of the running transaction, or of the next one when none is running. The
  /// database holds the observer until then.
  case nextTransaction
  /// As long as the connection is open. The database holds the observer.
  case databaseLifetime
}

extension Database {
  /// How long an observer observes transactions.
  public typealias TransactionObservationExtent = Storage.TransactionObservationExtent
}
