public import FoundationEssentials

/// The system clock.
public struct DefaultTransactionClock: TransactionClock {
  /// Creates a clock.
  public init() {}

  /// Returns the current date.
  public func now(_ db: Database) throws -> Date { Date() }
}

extension TransactionClock where Self == DefaultTransactionClock {
  /// The system clock.
  public static var `default`: Self { DefaultTransactionClock() }
}
