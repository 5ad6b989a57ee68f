/// The insertion plans of a connection, by record type.
final class InsertionPlans {
  private var plans: [ObjectIdentifier: InsertionPlan] = [:]
  /// The most recently used plan: programs tend to insert many records of one type in a row.
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
    // A running statement belongs to an outer insertion, which runs this one through a function in
    // a trigger. The inner insertion gets a separate plan.
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
    let plan = InsertionPlan(statement: statement, columns: columns, context: container.context)
    plans[ObjectIdentifier(type)] = plan
    last = (ObjectIdentifier(type), plan)
    return plan
  }

  func removeAll() {
    plans.removeAll()
    last = nil
  }
}
