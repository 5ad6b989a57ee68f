public import Foundation

/// Tells the date of a transaction: see ``Configuration/transactionClock``.
public protocol TransactionClock: Sendable {
  /// Returns the date of a transaction that begins now.
  ///
  /// - Throws: An error, which ``Database/transactionDate`` then throws.
  func now(_ db: Database) throws -> Date
}

/// The clock of the system.
public struct DefaultTransactionClock: TransactionClock {
  /// Makes a clock.
  public init() {}

  /// Returns the current date.
  public func now(_ db: Database) throws -> Date { Date() }
}

/// A clock that a closure makes, for tests and for data that is imported.
public struct CustomTransactionClock: TransactionClock {
  private let date: @Sendable (Database) throws -> Date

  /// Makes a clock that shows what the closure returns.
  public init(_ date: @escaping @Sendable (Database) throws -> Date) {
    self.date = date
  }

  /// Returns what the closure returns.
  public func now(_ db: Database) throws -> Date { try date(db) }
}

extension TransactionClock where Self == DefaultTransactionClock {
  /// The clock of the system.
  public static var `default`: Self { DefaultTransactionClock() }
}

extension TransactionClock where Self == CustomTransactionClock {
  /// Makes a clock that shows what the closure returns.
  public static func custom(_ date: @escaping @Sendable (Database) throws -> Date) -> Self {
    CustomTransactionClock(date)
  }
}

extension Database {
  /// The date of the running transaction: the same one from the first time it is asked for to the end
  /// of the transaction. Outside of a transaction, the current date.
  ///
  /// ``Configuration/transactionClock`` tells it.
  ///
  /// - Throws: What the clock throws.
  public var transactionDate: Date {
    get throws {
      checkAccess()
      if let knownTransactionDate, isInsideTransaction { return knownTransactionDate }
      let date = try configuration.transactionClock.now(self)
      if isInsideTransaction { knownTransactionDate = date }
      return date
    }
  }

  /// Forgets the date when a statement has begun or ended a transaction.
  func forgetTransactionDate(after statement: Statement) {
    if statement.effects.controlsTransaction || !isInsideTransaction { knownTransactionDate = nil }
  }
}
