public import FoundationEssentials

extension Database {
  /// The date of the running transaction, which stays the same from its first use to the end of the
  /// transaction. Outside a transaction, the current date.
  ///
  /// ``Configuration/transactionClock`` provides it.
  ///
  /// - Throws: What the clock throws.
  public var transactionDate: Date {
    get throws {
      try requireAccess()
      if let knownTransactionDate, isInsideTransaction { return knownTransactionDate }
      let date = try configuration.transactionClock.now(self)
      if isInsideTransaction { knownTransactionDate = date }
      return date
    }
  }

  /// Forgets the date if `statement` has begun or ended a transaction.
  func forgetTransactionDate(after statement: Statement) {
    if statement.effects.controlsTransaction || !isInsideTransaction { knownTransactionDate = nil }
  }
}
