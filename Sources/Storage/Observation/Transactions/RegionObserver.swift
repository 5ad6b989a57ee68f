internal import Dispatch
internal import WellspringSystem

/// Calls handlers for each commit of a connection that touches a region.
final class RegionObserver: @unchecked Sendable {
  // Safe to share: the region is used by the access that holds the connection, the lock guards the
  // handlers, the rest is constant.
  private let parts: [any DatabaseRegionConvertible]
  // Guards the handlers, which are dropped when the observation is cancelled. They are called
  // outside.
  private let handlers: Lock<Handlers?>

  struct Handlers: Sendable {
    let onError: @Sendable (any Error) -> Void
    /// Called with the part of the region that a commit has touched.
    let onChange: @Sendable (Database, CommitNumber, DatabaseRegion) -> Void
    let onClose: @Sendable () -> Void
  }

  /// Where errors are delivered.
  private static let errors = DispatchQueue(label: "wellspring.region-errors")

  /// The region in the connection's present schema; `nil` when it is not known.
  private(set) var region: DatabaseRegion?
  private var failure: String?

  init(_ parts: [any DatabaseRegionConvertible], _ handlers: Handlers) {
    self.parts = parts
    self.handlers = Lock(handlers)
  }

  /// Ends the observation.
  ///
  /// - Returns: The handlers that it had.
  @discardableResult
  func cancel() -> Handlers? {
    handlers.withLock { handlers in
      defer { handlers = nil }
      return handlers
    }
  }

  /// Ends the observation because the database was closed.
  func close() { cancel()?.onClose() }

  /// Determines the region, unless it is known.
  func resolve(_ db: Database) {
    guard region == nil else { return }
    do {
      region = try db.region(of: parts)
      failure = nil
    } catch {
      // An error that persists is delivered once.
      let description = String(describing: error)
      if failure != description {
        // Not inside this access: there, the closure could not use the database.
        Self.errors.async { self.handlers.withLock { $0 }?.onError(error) }
      }
      failure = description
    }
  }

  func forgetRegion() { region = nil }

  /// Calls the handler, if the commit touches the region.
  func receive(_ db: Database, number: CommitNumber, _ changes: DatabaseChanges) {
    // A region that depends on a table that does not exist is touched by changes of the schema
    // only, which count as everything.
    let region = region ?? DatabaseRegion()
    if changes.isEmpty { return }
    if case .tables = changes, !region.isTouched(by: changes) { return }
    guard let handlers = handlers.withLock({ $0 }) else { return }
    let touched = DatabaseRegion(changes).intersection(region)
    handlers.onChange(db, number, touched)
  }
}

extension DatabaseRegion {
  /// Returns whether the change of a row may have changed something in the region.
  ///
  /// The event does not say which columns an update has changed: it counts when the region has the
  /// row.
  public func isModified(by event: DatabaseEvent) -> Bool {
    guard let tables else { return true }
    let name = TableName(schema: event.databaseName, name: event.tableName)
    guard let part = tables[name] else { return false }
    guard let rowIDs = part.rowIDs.elements, let rowID = event.rowID else { return !part.isEmpty }
    return rowIDs.contains(rowID) || event.previousRowID.map(rowIDs.contains) == true
  }

  /// Returns whether changes of a kind may change something in the region, in any database of the
  /// connection.
  ///
  /// Most transaction observers call it in ``TransactionObserver/observes(eventsOfKind:)``.
  public func isModified(byEventsOfKind kind: DatabaseEventKind) -> Bool {
    guard let tables else { return true }
    let name = kind.tableName.asciiLowercased
    return tables.contains { table, part in
      guard table.name == name, !part.isEmpty else { return false }
      guard case .update(_, let columns) = kind, let wanted = part.columns.elements else {
        return true
      }
      return columns.contains { wanted.contains(ColumnName($0)) }
    }
  }
}

extension DatabaseRegion {
  /// Returns the kinds of changes that can touch the region, with names as they were declared.
  func eventKinds(_ db: Database) throws -> [DatabaseEventKind] {
    let found: [Row]
    if let tables {
      found = try tables.keys.flatMap { table in
        try Row.fetchAll(
          db,
          sql: "\(Self.list) WHERE schema = ? COLLATE NOCASE AND name = ? COLLATE NOCASE",
          arguments: [table.schema, table.name]
        )
      }
    } else {
      found = try Row.fetchAll(
        db,
        sql: "\(Self.list) WHERE type <> 'view' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'"
      )
    }
    return try found.flatMap { row -> [DatabaseEventKind] in
      let schema = try row.decode(String.self, forColumn: "schema")
      guard let table = row.schemaText("name") else { return [] }
      let wanted = tables?[TableName(schema: schema, name: table)]?.columns.elements
      let updated = try Self.columns(of: table, in: schema, db)
        .filter { wanted?.contains(ColumnName($0)) ?? true }
      return [
        .insert(tableName: table), .delete(tableName: table),
        .update(tableName: table, columnNames: Set(updated)),
      ]
    }
  }

  private static let list = "SELECT schema, name FROM pragma_table_list"

  /// Returns the names of a table's columns; none if SQLite cannot tell, because the module of a
  /// virtual table is missing, for example.
  private static func columns(
    of table: String,
    in schema: String,
    _ db: Database
  ) throws -> [String] {
    do {
      return try db.declaredColumns(of: TableName(schema: schema, name: table)).map(\.name)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      return []
    }
  }
}
