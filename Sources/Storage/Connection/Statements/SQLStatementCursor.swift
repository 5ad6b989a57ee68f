/// A cursor over the statements of an SQL string.
///
///     let statements = try db.allStatements(sql: "SELECT * FROM item; SELECT * FROM shop")
///     while let statement = try statements.next() {
///       let rows = try Row.fetchAll(statement)
///     }
///
/// Each statement is compiled when ``next()`` returns it. The caller may have run the statements
/// before it, so a statement may use tables that an earlier one has created. Use the cursor only
/// inside the access that made it.
public final class SQLStatementCursor: Cursor {
  private var reader: StatementReader
  /// The arguments that no statement has taken yet; `nil` when the caller binds values.
  private var arguments: ArgumentSupply?
  /// Whether the caller may bind the missing values.
  private let bindsLater: Bool

  init(
    database: Database,
    sql: String,
    arguments: StatementArguments?,
    bindsLater: Bool = false
  ) {
    reader = StatementReader(database: database, sql: sql)
    self.arguments = arguments.map(ArgumentSupply.init)
    self.bindsLater = bindsLater && arguments?.isEmpty == true
  }

  /// Returns the next statement, with its arguments, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the statement does not compile, when arguments are missing
  ///   for it, or when it is the last one and arguments are left over.
  public func next() throws -> Statement? {
    guard let statement = try reader.next(isPersistent: false) else {
      try checkNoArgumentsAreLeft()
      return nil
    }
    if var supply = arguments {
      let taken = supply.take(for: statement)
      arguments = supply
      // Detects left-over arguments before the last statement runs, if nothing follows it that must
      // be compiled.
      if !reader.hasMore { try checkNoArgumentsAreLeft() }
      if bindsLater {
        statement.setArgumentsForNextRun(taken)
      } else {
        try statement.setArguments(taken)
      }
    }
    return statement
  }

  private func checkNoArgumentsAreLeft() throws {
    guard let problem = arguments?.problem else { return }
    throw DatabaseError(resultCode: .SQLITE_MISUSE, message: problem, sql: reader.sql)
  }
}

/// Arguments for several statements. Each statement takes its positional values in turn; all of
/// them share the named values, and some values may be left over.
private struct ArgumentSupply {
  private let all: StatementArguments
  private var takenCount = 0

  init(_ arguments: StatementArguments) {
    all = arguments
  }

  mutating func take(for statement: Statement) -> StatementArguments {
    var taken = StatementArguments()
    for name in statement.parameterNames {
      if let name, let value = all.namedValues[name] {
        taken.namedValues[name] = value
      } else if takenCount < all.values.count {
        taken.values.append(all.values[takenCount])
        takenCount += 1
      }
    }
    return taken
  }

  /// An error message when positional values are left over; otherwise `nil`.
  var problem: String? {
    guard takenCount < all.values.count else { return nil }
    return """
      too many statement arguments: the statements have \(takenCount), \(all.values.count) given
      """
  }
}

extension Database {
  /// Returns a cursor that compiles the statements of an SQL string one by one.
  ///
  ///     let statements = try db.allStatements(
  ///       sql: "INSERT INTO item (name) VALUES (?); INSERT INTO shop (name) VALUES (?)",
  ///       arguments: ["cup", "Corner"]
  ///     )
  ///     while let statement = try statements.next() { try statement.execute() }
  ///
  /// - Parameters:
  ///   - sql: Statements separated by semicolons.
  ///   - arguments: The values of all parameters. The statements take positional values in turn,
  ///     and named values by name. When `nil`, nothing is bound.
  /// - Returns: A cursor, whose ``SQLStatementCursor/next()`` throws ``DatabaseError`` when a
  ///   statement does not compile or the arguments do not fit.
  /// - Throws: This method itself throws nothing.
  public func allStatements(
    sql: String,
    arguments: StatementArguments? = nil
  ) throws -> SQLStatementCursor {
    SQLStatementCursor(database: self, sql: sql, arguments: arguments)
  }
}
