extension Configuration {
  /// How a connection waits for a lock that another connection holds.
  public enum BusyMode: Sendable {
    /// Fails immediately with `SQLITE_BUSY`.
    case immediateError
    /// Retries for the given number of seconds, then fails with `SQLITE_BUSY`.
    case timeout(Double)
    /// Calls a closure with the number of tries so far. The access retries when the closure returns
    /// `true`, and fails with `SQLITE_BUSY` otherwise. The closure runs on the thread of the
    /// access, and decides how long to sleep. The opening of a file calls it too, and counts the
    /// tries of each of its steps.
    case callback(@Sendable (_ numberOfTries: Int) -> Bool)
  }
}
