import TestSupport

/// A statement and its possible changes.
struct PlannedStatement: Sendable {
  enum Effect: Hashable, Sendable {
    /// The rows that differ afterwards, in this table and in other tables.
    case compared(TableReference)
    /// Any row of a table, and of the tables that triggers and foreign keys reach from it.
    case rewrites(TableReference)
    /// Anything: the schema, or the header of the file.
    case everything

    var table: TableReference? {
      switch self {
      case .compared(let table), .rewrites(let table): table
      case .everything: nil
      }
    }
  }

  var sql: String
  let effect: Effect
}

/// The parts of a transaction, and how it ends.
struct TransactionPlan: Sendable {
  indirect enum Part: Sendable {
    case statement(PlannedStatement)
    /// An incremental write of one byte.
    case blob(TableReference, column: String, row: Int64, byte: UInt8)
    /// A savepoint that may be rolled back after its first parts and after its second parts.
    case savepoint(name: String, first: [Part], undoFirst: Bool, second: [Part], undoSecond: Bool)
  }

  enum Ending: Hashable, Sendable {
    case commit
    case rollback
    /// An error thrown by the body of the transaction.
    case error
  }

  /// A part of the plan in a flat list.
  enum Step: Sendable {
    case statement(PlannedStatement)
    case blob(TableReference, column: String, row: Int64, byte: UInt8)
    case begin(String)
    case rollBack(String)
    case release(String)

    /// The SQL of the step; `nil` for a blob write.
    var sql: String? {
      switch self {
      case .statement(let statement): statement.sql
      case .blob: nil
      case .begin(let name): "SAVEPOINT \(name)"
      case .rollBack(let name): "ROLLBACK TO \(name)"
      case .release(let name): "RELEASE \(name)"
      }
    }
  }

  let parts: [Part]
  let ending: Ending
  /// Statements after which a failed commit succeeds.
  var repairs: [String] = []

  var steps: [Step] { Self.steps(of: parts) }

  /// The tables that its steps change directly.
  var tables: [TableReference] {
    steps.compactMap { step in
      switch step {
      case .statement(let statement): statement.effect.table
      case .blob(let table, _, _, _): table
      default: nil
      }
    }
  }

  private static func steps(of parts: [Part]) -> [Step] {
    parts.flatMap { part -> [Step] in
      switch part {
      case .statement(let statement): return [.statement(statement)]
      case .blob(let table, let column, let row, let byte):
        return [.blob(table, column: column, row: row, byte: byte)]
      case .savepoint(let name, let first, let undoFirst, let second, let undoSecond):
        let undo = Step.rollBack(name)
        return [.begin(name)] + steps(of: first) + (undoFirst ? [undo] : []) + steps(of: second)
          + (undoSecond ? [undo] : []) + [.release(name)]
      }
    }
  }
}

extension TransactionPlan {
  /// Returns a random plan with statements on tables of the given schemas.
  static func random(
    _ statements: StatementGenerator,
    schemas: Set<String> = ["main"],
    allowsSchemaChanges: Bool,
    isShort: Bool = false,
    nextValue: () -> Int,
    _ random: inout SeededGenerator
  ) -> TransactionPlan {
    func statement(_ random: inout SeededGenerator) -> Part {
      let value = nextValue()
      if allowsSchemaChanges, random.chance(6) {
        let sql = SchemaGenerator.change(of: statements.schema, value, &random)
        return .statement(PlannedStatement(sql: sql, effect: .everything))
      }
      if allowsSchemaChanges, random.chance(2) {
        let sql = "PRAGMA user_version = \(value)"
        return .statement(PlannedStatement(sql: sql, effect: .everything))
      }
      if random.chance(4),
        let table = random.pick(
          statements.schema.ordinaryTables.filter { $0.kind != .withoutRowID }
        ),
        schemas.contains(table.schema)
      {
        return .blob(
          table.reference,
          column: "s",
          row: Int64(random.number(in: 1..<StatementGenerator.rows)),
          byte: UInt8(random.number(in: 65..<91))
        )
      }
      return .statement(statements.statement(value, schemas: schemas, &random))
    }
    func parts(depth: Int, _ random: inout SeededGenerator) -> [Part] {
      (0..<random.number(in: 1..<4)).map { _ in
        guard depth < 3, random.chance(12) else { return statement(&random) }
        return .savepoint(
          name: random.pick(["a", "b", "B", "\"a\""])!,
          first: parts(depth: depth + 1, &random),
          undoFirst: random.chance(50),
          second: random.chance(40) ? parts(depth: depth + 1, &random) : [],
          undoSecond: random.chance(30)
        )
      }
    }
    // A short plan has one statement, so no other statement can hide a change that is missed.
    let bulk =
      !isShort && random.chance(4)
      ? statements.bulk(nextValue(), schemas: schemas, &random) : []
    let children = statements.schema.ordinaryTables.filter { !$0.parents.isEmpty }
    return TransactionPlan(
      parts: isShort
        ? [statement(&random)] : bulk.map(Part.statement) + parts(depth: 0, &random),
      ending: isShort ? .commit : random.pick(weighted: [.commit: 8, .rollback: 1, .error: 1]),
      repairs: children.map { "UPDATE \($0.sql) SET p = NULL" }
    )
  }
}
