extension MutablePersistableRecord {
  /// Inserts the row of the record, without callbacks.
  ///
  /// It uses the insertion plan of the record type unless the call specifies a conflict resolution.
  @usableFromInline
  func runInsertion(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution?
  ) throws -> InsertionSuccess {
    if let conflictResolution {
      let insert = Self.insertion(try PersistenceContainer(self).assignments, conflictResolution)
      try insert.prepare(db).execute()
      return Self.insertionSuccess(db)
    }
    if let plan = db.insertionPlans.plan(for: Self.self) {
      let statement = plan.statement
      var container = PersistenceContainer(bindingTo: plan)
      try encode(to: &container)
      // What cannot be bound is bound once more below: that says which value it is.
      if container.didBindAll, container.code == 0 {
        do {
          try statement.run()
          return Self.insertionSuccess(db)
        } catch let error as DatabaseError {
          throw error.with(
            arguments: StatementArguments(try PersistenceContainer(self).values)
          )
        }
      }
    }
    let container = try PersistenceContainer(self)
    let plan = try db.insertionPlans.makePlan(for: Self.self, container, db)
    try plan.statement.execute(arguments: StatementArguments(container.values))
    return Self.insertionSuccess(db)
  }
}
