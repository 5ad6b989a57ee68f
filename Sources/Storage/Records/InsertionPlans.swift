/// The statement that inserts the records of one type, and what the records are expected to set.
final class InsertionPlan {
  let statement: Statement
  /// By parameter, the column that it is for.
  let slots: UnsafeMutablePointer<PersistenceContainer.Slot>
  let columnCount: Int
  /// Whether records have asked for values that they had set: then they are collected each time.
  let reading: PersistenceContainer.Reading

  init(statement: Statement, columns: [String], reading: PersistenceContainer.Reading) {
    self.statement = statement
    self.reading = reading
    columnCount = columns.count
    slots = .allocate(capacity: max(columns.count, 1))
    for (index, column) in columns.enumerated() {
      let bits = unsafeBitCast(column, to: (UInt64, UInt64).self)
      (slots + index).initialize(to: PersistenceContainer.Slot(column: column, bits: bits))
    }
  }

  deinit {
    slots.deinitialize(count: columnCount)
    slots.deallocate()
  }
}

/// The statements that insert the records of a connection, by type.
final class InsertionPlans {
  private var plans: [ObjectIdentifier: InsertionPlan] = [:]
  /// The one that was used last: records of one type come in a row.
  private var last: (type: ObjectIdentifier, plan: InsertionPlan)?

  func plan(for type: Any.Type) -> InsertionPlan? {
    let type = ObjectIdentifier(type)
    let plan: InsertionPlan
    if let last, last.type == type {
      plan = last.plan
    } else {
      guard let known = plans[type] else { return nil }
      plan = known
      last = (type, known)
    }
    // A statement that runs already belongs to an insertion that made this one, through a trigger's
    // function: it gets a plan of its own.
    return plan.statement.isRunning ? nil : plan
  }

  func makePlan(
    for type: (some MutablePersistableRecord).Type,
    _ container: PersistenceContainer,
    _ db: Database
  ) throws -> InsertionPlan {
    let columns = container.columns
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let values = columns.isEmpty ? "DEFAULT VALUES" : "(\(names)) VALUES (\(marks))"
    let table = type.databaseTableName.quotedDatabaseIdentifier
    let conflict = type.persistenceConflictPolicy.conflictResolutionForInsert.sql
    let statement = try db.makeStatement(sql: "INSERT\(conflict) INTO \(table) \(values)")
    let plan = InsertionPlan(statement: statement, columns: columns, reading: container.reading)
    plans[ObjectIdentifier(type)] = plan
    last = (ObjectIdentifier(type), plan)
    return plan
  }

  func removeAll() {
    plans.removeAll()
    last = nil
  }
}

extension MutablePersistableRecord {
  /// Inserts the row of the record, without callbacks: with the statement that is kept for its type,
  /// unless a call asks for a policy of its own.
  @usableFromInline
  func runInsertion(
    _ db: Database,
    onConflict conflictResolution: Database.ConflictResolution?
  ) throws -> InsertionSuccess {
    if let conflictResolution {
      let insert = Self.insertion(try PersistenceContainer(self).assignments, conflictResolution)
      try db.cachedStatement { try insert.write(to: &$0) }.execute()
      return Self.insertionSuccess(db)
    }
    let plans = db.insertionPlans
    if let plan = plans.plan(for: Self.self), !plan.reading.hasRead {
      plan.statement.reset()
      plan.statement.forgetArguments()
      var container = PersistenceContainer(bindingTo: plan)
      try encode(to: &container)
      if container.didBindAll {
        do {
          try container.checkBindings()
          try plan.statement.run()
          return Self.insertionSuccess(db)
        } catch let error as DatabaseError {
          throw error.with(
            arguments: StatementArguments(try PersistenceContainer(self).values)
          )
        }
      }
    }
    let container = try PersistenceContainer(self)
    let plan = try plans.makePlan(for: Self.self, container, db)
    try plan.statement.execute(arguments: StatementArguments(container.values))
    return Self.insertionSuccess(db)
  }
}
