/// The statements that compile against the views and triggers of a database.
///
/// SQLite reports a broken view or trigger only when a statement uses it. So a rebuild records
/// which uses compile before it, and checks that they compile after it.
struct SchemaUses {
  private enum Operation {
    case read
    case insert
    case delete
    case update(column: String)
  }

  private struct Use {
    let schema: String
    let name: String
    let operation: Operation

    /// A statement that performs the operation. Compiling it compiles every trigger that it fires.
    var sql: String {
      let table = "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
      return switch operation {
      case .read: "SELECT * FROM \(table)"
      case .insert: "INSERT INTO \(table) DEFAULT VALUES"
      case .delete: "DELETE FROM \(table)"
      case .update(let column): "UPDATE \(table) SET \(column.quotedDatabaseIdentifier) = NULL"
      }
    }

    var subject: String {
      if case .read = operation { "the view \(name)" } else { "a trigger of \(name)" }
    }

    /// Whether the column that an update names still exists and can be written.
    func isPossible(_ db: Database) throws -> Bool {
      guard case .update(let column) = operation else { return true }
      return try db.tableInfo(name, in: schema).columns.contains {
        $0.is(column) && !$0.isGenerated
      }
    }
  }

  private let uses: [Use]

  /// The uses that compile now.
  static func working(_ db: Database) throws -> SchemaUses {
    var uses: [Use] = []
    for schema in ["main", "temp"] {
      for view in try db.schemaObjects(.view, in: schema) {
        uses.append(Use(schema: schema, name: view.name, operation: .read))
      }
      for name in try Set(db.schemaObjects(.trigger, in: schema).map(\.tableName)).sorted() {
        // A temporary trigger may be on a table of another database.
        guard let table = try? db.tableInfo(name) else { continue }
        let updates = table.columns.filter { !$0.isGenerated }
          .map { Operation.update(column: $0.name) }
        for operation in [.insert, .delete] + updates {
          uses.append(Use(schema: table.schema, name: name, operation: operation))
        }
      }
    }
    return SchemaUses(uses: uses.filter { (try? db.makeStatement(sql: $0.sql)) != nil })
  }

  /// Throws when a use no longer compiles.
  func check(_ db: Database) throws {
    for use in uses where try use.isPossible(db) {
      do {
        _ = try db.makeStatement(sql: use.sql)
      } catch let error as DatabaseError {
        throw DatabaseError(
          resultCode: error.extendedResultCode,
          message: """
            \(use.subject) does not work with the new table (\(error.message ?? "?")): drop it before \
            the rebuild
            """
        )
      }
    }
  }
}
