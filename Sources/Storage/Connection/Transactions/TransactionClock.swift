public import FoundationEssentials

/// A clock that provides the dates of transactions: see ``Configuration/transactionClock``.
public protocol TransactionClock: Sendable {
  /// Returns the current date, as this clock defines it.
  ///
  /// - Throws: An error, which ``Database/transactionDate`` then throws.
  func now(_ db: Database) throws -> Date
}
