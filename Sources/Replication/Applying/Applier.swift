package import Recording
package import Storage

/// Repeats recorded transactions on another copy of the database.
///
/// One statement changes one row. Triggers and foreign keys do nothing: their changes are recorded.
/// The tables behind a virtual table are written as such, so the connection must not have queried
/// the virtual table.
package struct Applier {
  package init() {}

  /// Repeats a transaction inside the running transaction.
  ///
  /// - Throws: ``Divergence`` when the database differs from the one on which the transaction was
  ///   recorded. The caller must roll back then.
  package func apply(_ transaction: RecordedTransaction, in db: Database) throws {
    try apply(CollectionOfOne(transaction), in: db)
  }

  /// Repeats several transactions inside the running transaction, which is faster than one by one.
  ///
  /// The running transaction must not have changed the schema before.
  ///
  /// - Throws: ``Divergence`` when the database differs from the one on which the transactions were
  ///   recorded. The caller must roll back then.
  package func apply(
    _ transactions: some Sequence<RecordedTransaction>,
    in db: Database
  ) throws {
    let schema = try db.repeatableSchema(isCommitted: true)
    try db.withoutSideEffects(of: schema) { schemaWillChange in
      try withoutActuallyEscaping(schemaWillChange) { schemaWillChange in
        let run = ApplierRun(db, schema, schemaWillChange)
        for transaction in transactions { try transaction.forEachItem(run.apply) }
      }
    }
  }
}
