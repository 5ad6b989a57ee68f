public import FoundationEssentials

/// A clock that provides the dates of transactions: see ``Configuration/transactionClock``.
public protocol TransactionClock: Sendable {
  /// Returns the current date, as this clock defines it.
  ///
  /// - Throws: An error, which ``Database/transactionDate`` then throws.
  func now(_ db: Database) throws -> Date
}

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

extension Database {
  /// The date of the running transaction, which stays the same from its first use to the end of the
  /// transaction. Outside a transaction, the current date.
  ///
  /// ``Configuration/transactionClock`` provides it.
  ///
  /// - Throws: The errors of the clock.
  public var transactionDate: Date {
    get throws {
      try requireAccess()
      if let date = transactionState.date, isInsideTransaction { return date }
      let date = try configuration.transactionClock.now(self)
      if isInsideTransaction { transactionState.date = date }
      return date
    }
  }

  /// Drops the date if `statement` has begun or ended a transaction.
  func forgetTransactionDate(after statement: Statement) {
    if statement.effects.controlsTransaction || !isInsideTransaction { transactionState.date = nil }
  }
}
