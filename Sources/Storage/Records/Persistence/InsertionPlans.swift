/// The insertion plans of a connection, by record type.
final class InsertionPlans {
  private var plans: [ObjectIdentifier: InsertionPlan] = [:]
  // The most recently used plan: programs tend to insert many records of one type in a row.
  @exclusivity(unchecked) private var lastType: ObjectIdentifier?
  @exclusivity(unchecked) private var lastPlan: InsertionPlan?

  /// Returns the plan of a record type, whose statement is ready for the values of a record; `nil`
  /// when values must be collected.
  func plan(for type: Any.Type) -> InsertionPlan? {
    let type = ObjectIdentifier(type)
    if lastType != type {
      guard let known = plans[type] else { return nil }
      use(known, for: type)
    }
    // A running statement belongs to an outer insertion, which runs this one through a function in
    // a trigger. The inner insertion gets a separate plan.
    guard let plan = lastPlan, !plan.statement.isRunning, !plan.context.hasRead else { return nil }
    plan.statement.forgetArguments()
    return plan
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
    use(plan, for: ObjectIdentifier(type))
    return plan
  }

  private func use(_ plan: InsertionPlan, for type: ObjectIdentifier) {
    lastType = type
    lastPlan = plan
  }

  func removeAll() {
    plans.removeAll()
    lastType = nil
    lastPlan = nil
  }
}
