/// The statement that inserts the records of one type, with the columns that the records are
/// expected to set.
final class InsertionPlan {
  let statement: Statement
  /// The table of the statement. A record type may compute its table and its policy.
  private let table: String
  private let conflictResolution: Database.ConflictResolution
  /// The column of each parameter.
  let slots: UnsafeMutablePointer<PersistenceContainer.Slot>
  let columnCount: Int
  /// The encoding context of the records. Once a record has read a value back, values are collected
  /// instead of bound.
  let context: PersistenceContainer.EncodingContext
  /// The encoder of `Encodable` records, while no record uses it.
  @exclusivity(unchecked) var encoder: RecordEncoder?

  /// Compiles the statement for records that set the columns of a container.
  init<Record: MutablePersistableRecord>(
    for type: Record.Type,
    _ container: PersistenceContainer,
    _ db: Database
  ) throws {
    let columns = container.columns
    table = type.databaseTableName
    conflictResolution = type.persistenceConflictPolicy.conflictResolutionForInsert
    context = container.context
    let names = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    let values = columns.isEmpty ? "DEFAULT VALUES" : "(\(names)) VALUES (\(marks))"
    let target = "\(conflictResolution.sql) INTO \(table.quotedDatabaseIdentifier)"
    statement = try db.makeStatement(sql: "INSERT\(target) \(values)")
    columnCount = columns.count
    slots = .allocate(capacity: max(columns.count, 1))
    for (index, column) in columns.enumerated() {
      let bits = unsafeBitCast(column, to: (UInt64, UInt64).self)
      (slots + index).initialize(to: PersistenceContainer.Slot(column: column, bits: bits))
    }
  }

  /// Returns whether a record type still has the table and the conflict policy of the statement.
  func isCurrent<Record: MutablePersistableRecord>(for type: Record.Type) -> Bool {
    table.hasSameBytes(as: type.databaseTableName)
      && conflictResolution == type.persistenceConflictPolicy.conflictResolutionForInsert
  }

  deinit {
    slots.deinitialize(count: columnCount)
    slots.deallocate()
  }
}

/// The insertion plans of a connection, by record type.
final class InsertionPlans {
  private var plans: [ObjectIdentifier: InsertionPlan] = [:]
  // The most recently used plan: programs tend to insert many records of one type in a row.
  @exclusivity(unchecked) private var lastType: ObjectIdentifier?
  @exclusivity(unchecked) private var lastPlan: InsertionPlan?

  /// Returns the plan of a record type, whose statement is ready for the values of a record; `nil`
  /// when values must be collected.
  func plan<Record: MutablePersistableRecord>(for type: Record.Type) -> InsertionPlan? {
    let identifier = ObjectIdentifier(type)
    if lastType != identifier {
      guard let known = plans[identifier] else { return nil }
      use(known, for: identifier)
    }
    guard let plan = lastPlan, plan.isCurrent(for: type) else { return nil }
    // A running statement belongs to an outer insertion, which runs this one through a function in
    // a trigger. The inner insertion gets a separate plan.
    guard !plan.statement.isRunning, !plan.context.hasRead else { return nil }
    plan.statement.forgetArguments()
    return plan
  }

  func makePlan<Record: MutablePersistableRecord>(
    for type: Record.Type,
    _ container: PersistenceContainer,
    _ db: Database
  ) throws -> InsertionPlan {
    let plan = try InsertionPlan(for: type, container, db)
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
      // A value that cannot be bound is bound once more below, to find out which value it is.
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

/// The result of an insertion. It is valid only in the callbacks that receive it.
public struct InsertionSuccess {
  /// The row id of the new row.
  ///
  /// In a `WITHOUT ROWID` table it is meaningless: the row id of an earlier insertion.
  public let rowID: Int64

  /// The column that holds the row id: `id` for `id INTEGER PRIMARY KEY`; `nil` when the table has
  /// no such column.
  public var rowIDColumn: String? {
    // Looked up lazily, because most records do not use it.
    try? db.primaryKey(recordType.databaseTableName).rowIDColumn
  }

  private let recordType: any TableRecord.Type
  private let db: Database

  init(rowID: Int64, of recordType: any TableRecord.Type, _ db: Database) {
    self.rowID = rowID
    self.recordType = recordType
    self.db = db
  }
}

/// The result of an insertion or an update.
public struct PersistenceSuccess {
  /// The result of the insertion, or `nil` for an update.
  public let insertion: InsertionSuccess?

  @inlinable
  init(insertion: InsertionSuccess?) {
    self.insertion = insertion
  }
}
