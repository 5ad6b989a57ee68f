public import FoundationEssentials

/// A clock that returns the date of a closure, for tests and for imported data.
public struct CustomTransactionClock: TransactionClock {
  private let date: @Sendable (Database) throws -> Date

  /// Creates a clock that returns the date of the closure.
  public init(_ date: @escaping @Sendable (Database) throws -> Date) {
    self.date = date
  }

  /// Returns the date of the closure.
  public func now(_ db: Database) throws -> Date { try date(db) }
}

extension TransactionClock where Self == CustomTransactionClock {
  /// Creates a clock that returns the date of the closure.
  public static func custom(_ date: @escaping @Sendable (Database) throws -> Date) -> Self {
    CustomTransactionClock(date)
  }
}
