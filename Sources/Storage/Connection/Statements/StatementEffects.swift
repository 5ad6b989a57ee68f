/// What a statement reads and does, as SQLite's authorizer tells while it compiles the statement.
///
/// The authorizer does not tell everything it reads: see `RegionAnalysis`.
struct StatementEffects {
  enum Savepoint: Equatable {
    case begin(String)
    case release(String)
    case rollback(String)
  }

  /// The columns that are read, in lower case. A table without columns is read for its rows only.
  var reads: [TableName: Set<String>] = [:]
  /// Tables that are read without a word of the database they are in: `SELECT count(*) FROM t`.
  var readsInUnknownSchema: Set<String> = []
  /// Tables whose rows are inserted, updated or deleted, also by triggers and foreign keys.
  var writes: Set<TableName> = []
  /// The columns that updates set, also those of triggers, as they were declared.
  var updates: [TableName: Set<String>] = [:]
  /// Whether the statement creates, alters or drops something, attaches or detaches.
  var changesSchema = false
  /// Whether it writes the table of the schema, which only some statements can.
  var writesSchemaTable = false
  /// Whether it reads a pragma that is not about the schema.
  var readsPragma = false
  /// Whether it reads a pragma that does nothing, though SQLite counts it as writing.
  var readsHarmlessPragma = false
  /// Whether it sets something through a pragma, `user_version` for one.
  var writesPragma = false
  /// Whether it has set the length at which the WAL is checkpointed, which SQLite does while it compiles
  /// the pragma.
  var setsAutoCheckpoint = false
  /// `BEGIN`, `COMMIT` or `ROLLBACK`.
  var controlsTransaction = false
  /// `ROLLBACK`, without `TO`.
  var rollsBack = false
  /// `SAVEPOINT`, `RELEASE` or `ROLLBACK TO`.
  var savepoint: Savepoint?

  /// Whether the statement begins or ends a transaction or a savepoint.
  var isTransactionControl: Bool { controlsTransaction || savepoint != nil }

  /// Whether the statement asks for the value of a pragma and does nothing else. SQLite does not count
  /// all of these as reading: `PRAGMA journal_mode` for one.
  var onlyReadsPragma: Bool {
    readsHarmlessPragma && !writesPragma && writes.isEmpty && !changesSchema
      && !isTransactionControl
  }

  /// Whether SQLite may compile statements of its own that change the schema while this one runs: for a
  /// virtual table, or in `VACUUM`, of which the authorizer tells nothing.
  func mayChangeSchema(isReadonly: Bool) -> Bool {
    changesSchema || writesPragma || (!isReadonly && writes.isEmpty)
  }

  /// The effects of an `EXPLAIN` of the statement. A pragma does something while it is compiled.
  var ofExplanation: StatementEffects {
    var effects = StatementEffects()
    effects.reads = reads
    effects.readsInUnknownSchema = readsInUnknownSchema
    effects.readsPragma = readsPragma
    effects.readsHarmlessPragma = readsHarmlessPragma
    effects.writesPragma = writesPragma
    return effects
  }

  /// Whether the statement does something that SQLite's hooks do not tell of.
  var isSpecial: Bool { isTransactionControl || changesSchema || writesPragma }
}
