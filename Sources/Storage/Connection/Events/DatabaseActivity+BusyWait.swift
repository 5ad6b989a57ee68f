extension DatabaseActivity {
  /// A wait for a lock that another connection has held: see ``Configuration/busyMode``.
  ///
  /// Waits for the writer of the same pool are not among these: they are part of the access.
  public struct BusyWait: Hashable, Sendable, CustomStringConvertible {
    /// How long the connection has waited.
    public let duration: Duration

    /// Whether the lock was free in the end. Otherwise the statement has failed with
    /// `SQLITE_BUSY`, or its access was cancelled.
    public let hasEndedInTime: Bool

    /// Creates a wait, for example to test an instrument.
    public init(duration: Duration, hasEndedInTime: Bool) {
      self.duration = duration
      self.hasEndedInTime = hasEndedInTime
    }

    /// The duration and the end, in one line.
    public var description: String {
      let text = "waited \(DatabaseActivity.text(of: duration)) for a lock"
      return hasEndedInTime ? text : "\(text), and gave up"
    }
  }
}
