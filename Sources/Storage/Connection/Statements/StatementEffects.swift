/// The reads and effects of a statement, as SQLite's authorizer reports them while the statement is
/// compiled.
///
/// The authorizer does not report all reads of the statement: see `RegionAnalysis`.
package struct StatementEffects {
  /// The effect of a statement on a savepoint. The associated value is the savepoint's name.
  package enum Savepoint: Equatable {
    case begin(String)
    case release(String)
    case rollback(String)
  }

  /// A change of the schema, as the authorizer reports it.
  /// https://www.sqlite.org/c3ref/c_alter_table.html
  package struct SchemaAction {
    package let code: Int32
    /// The name of the changed object; in an attached database too.
    package let name: String
    /// The database, in lower case; `main` or `temp` if it has no other name.
    package let schema: String
  }

  /// The columns that are read. A table without columns is read only for its rows.
  var reads: [TableName: Set<ColumnName>] = [:]
  /// Tables that are read, reported without their schema: `SELECT count(*) FROM t`.
  var readsInUnknownSchema: Set<String> = []
  /// Tables whose rows are inserted, updated or deleted, including by triggers and foreign keys.
  package var writes: Set<TableName> = []
  /// The columns that the statement and its triggers update, spelled as declared.
  var updates: [TableName: Set<String>] = [:]
  /// Whether the statement creates, alters or drops something, or attaches or detaches a database.
  package var changesSchema = false
  /// The changes of the schema that were reported.
  package var schemaActions: [SchemaAction] = []
  /// Whether it writes the schema table, which only some statements can.
  package var writesSchemaTable = false
  /// Whether it reads a pragma, other than pragmas that read the schema.
  var readsPragma = false
  /// Whether it reads a pragma without side effects that SQLite counts as a write.
  var readsHarmlessPragma = false
  /// Whether it sets something through a pragma, such as `user_version`.
  package var writesPragma = false
  /// The pragma that it reads or sets, in lower case.
  package var pragma: String?
  /// Whether it may have changed the journal mode.
  var setsJournalMode = false
  /// Whether it has set the WAL length that triggers a checkpoint. SQLite does that while it
  /// compiles the pragma.
  var setsAutoCheckpoint = false
  /// Whether it is `BEGIN`, `COMMIT` or `ROLLBACK`.
  var controlsTransaction = false
  /// Whether it is `ROLLBACK`, without `TO`.
  var rollsBack = false
  /// Whether it is `COMMIT`.
  package var commits = false
  /// The savepoint of a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO`.
  package var savepoint: Savepoint?

  /// Whether the statement begins or ends a transaction or a savepoint.
  package var isTransactionControl: Bool { controlsTransaction || savepoint != nil }

  /// Whether the statement reads the value of a pragma that SQLite counts as a write, such as
  /// `PRAGMA journal_mode`, and does nothing else.
  var onlyReadsPragma: Bool {
    readsHarmlessPragma && !writesPragma && writes.isEmpty && !changesSchema
      && !isTransactionControl
  }

  /// Whether the effects may belong to the first connection to a virtual table, which declares its
  /// columns, and compiles further statements. Compiled once more, the statement shows its own.
  var mayConnectToVirtualTable: Bool { writesSchemaTable && schemaActions.isEmpty }

  /// Returns whether SQLite may compile further, schema-changing statements while this one runs:
  /// for a virtual table, or for `VACUUM`, about which the authorizer reports nothing.
  func mayChangeSchema(isReadonly: Bool) -> Bool {
    changesSchema || writesPragma || (!isReadonly && writes.isEmpty)
  }

  /// The effects of an `EXPLAIN` of the statement. They include the effects of a pragma, which may
  /// act while it is compiled.
  var ofExplanation: StatementEffects {
    var effects = StatementEffects()
    effects.reads = reads
    effects.readsInUnknownSchema = readsInUnknownSchema
    effects.readsPragma = readsPragma
    effects.readsHarmlessPragma = readsHarmlessPragma
    effects.writesPragma = writesPragma
    return effects
  }

  /// Whether the statement sets the number of a schema, or makes SQLite read the schemas again.
  var setsSchemaVersion: Bool {
    writesPragma && (pragma == "schema_version" || pragma == "writable_schema")
  }

  /// Whether the statement does something that SQLite's hooks do not report.
  var isSpecial: Bool { isTransactionControl || changesSchema || writesPragma }
}

// What a recorder asks of each statement. A copy of all effects would take longer than the answer.
extension Statement {
  /// Whether it begins or ends a transaction or a savepoint.
  package var isTransactionControl: Bool { effects.isTransactionControl }
  /// Whether it is `COMMIT`.
  package var commitsTransaction: Bool { effects.commits }
  /// The savepoint of a `SAVEPOINT`, `RELEASE` or `ROLLBACK TO`.
  package var savepoint: StatementEffects.Savepoint? { effects.savepoint }
  /// The pragma that it reads or sets, in lower case.
  package var pragma: String? { effects.pragma }
  /// Whether it sets something through a pragma.
  package var writesPragma: Bool { effects.writesPragma }
  /// Whether it inserts, updates or deletes rows.
  package var hasWrites: Bool { !effects.writes.isEmpty }
  /// Whether it changes the schema, or attaches or detaches a database.
  package var changesSchema: Bool { effects.changesSchema }
}
