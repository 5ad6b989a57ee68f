/// Why the result of a query is not patched: the query runs again as a whole.
enum PatchObstacle: Error, Hashable, Sendable {
  /// It is a closure, or a request with code of its own, that fetches nothing as values.
  case fetchesNoValues
  /// It fetches associated rows by another key than a row id, by a statement in which the rows of
  /// one key may depend on other keys, or for the rows of a join.
  case fetchesFurtherRows
  /// It takes less time than keeping its result would pay for.
  case isQuick
  /// Only its last run was slow. The result of the next one is kept.
  case wasSlowOnce
  /// Foreign commits or large transactions came between the runs each time.
  case failedBefore
  /// It is not a plain `SELECT … FROM`.
  case isNoSelect
  /// It has a subquery.
  case hasSubquery
  /// It is distinct, has a window, or has groups or aggregates of a form that is not patched.
  case groupsRows
  /// It groups by reals, or by values that differ and are equal for SQLite, or it aggregates values
  /// that are not integers, or that are too large.
  case aggregatesOtherValues
  /// It shows some of its groups, whose order depends on more than its terms.
  case ordersGroupsByChance
  /// It groups the rows that belong to single rows of a table, and reads these in another order, or
  /// searches for the rows of a group.
  case searchesForGroups
  /// It is a `UNION` or another compound statement, or a `UNION ALL` with an order, a limit or
  /// other names.
  case isCompound
  /// It reads no table, a table-valued function or an unknown join, or a view or a subquery in the
  /// `FROM` that SQLite does not replace by tables.
  case readsOtherSource
  /// It joins several rows of one table with one row of another table, whichever of its tables one
  /// begins with, or SQLite has to search for the rows.
  case joinsSeveralRows
  /// It reads rows in the order of a table that it reads twice.
  case readsTableTwice
  /// Whether a row is in the result, or where in a window, depends on the rows that a `LEFT JOIN`
  /// finds.
  case dependsOnMissingRow
  /// It counts the rows of a join that belong to the rows of a table without row ids.
  case countsKeyedJoin
  /// It reads a virtual table, or a table of SQLite's own.
  case readsVirtualTable
  /// It reads a table without row ids whose keys only SQLite can compare.
  case cannotCompareKeys
  /// It reads an attached database, or a temporary table.
  case readsOtherDatabase
  /// All names of the row id are names of columns.
  case cannotNameRowID
  /// It calls a function whose result can change, or a function that is not known.
  case callsFunction(String)
  /// Its compiled program does something that is not known to concern one row alone.
  case hasInstruction(String)
  /// It reads its rows in an order that is not known.
  case readsInUnknownOrder
  /// It only looks up rows by their ids, or goes to one end of an index, which is quick.
  case looksUpRows
  /// The parameters in its text are not the parameters that SQLite has found.
  case hasUnknownParameters
  /// Its `LIMIT` or `OFFSET` is not a number.
  case hasUnknownLimit
  /// Its window has many rows, or begins after many rows.
  case hasLargeWindow
  /// It counts the rows of a window.
  case countsWindow
  /// The statement that fetches changed rows reads something else than the query.
  case readsOtherColumns
  /// SQLite reads the whole table for some changed rows, because its statistics say that it is
  /// small.
  case scansForChangedRows
  /// SQLite refuses a statement that was made from it.
  case cannotBeCompiled
}

extension PatchObstacle: CustomStringConvertible {
  /// The reason, as the end of a sentence that begins with "the query".
  var description: String {
    switch self {
    case .fetchesNoValues: "fetches no elements that are values"
    case .fetchesFurtherRows: "fetches associated rows that depend on more than a row id"
    case .isQuick: "is quick"
    case .wasSlowOnce: "has been slow only once"
    case .failedBefore: "could not be patched the last times"
    case .isNoSelect: "is not a plain SELECT"
    case .hasSubquery: "has a subquery"
    case .groupsRows: "is distinct, or has groups or aggregates of a form that is not patched"
    case .aggregatesOtherValues:
      "groups by reals or by equal texts, or aggregates other values than integers"
    case .ordersGroupsByChance: "shows some of its groups in an order that its terms do not tell"
    case .searchesForGroups: "has groups whose rows are not read group after group"
    case .isCompound:
      "combines queries in another way than UNION ALL without an order, a limit or other names"
    case .readsOtherSource:
      "reads a function, an unknown join, or a view or subquery that stays one"
    case .joinsSeveralRows: "joins several rows of a table with one row of another"
    case .readsTableTwice: "reads its rows in the order of a table that it reads twice"
    case .dependsOnMissingRow: "selects or orders rows by what a LEFT JOIN finds"
    case .countsKeyedJoin: "counts the rows of a join by those of a table without row ids"
    case .readsVirtualTable: "reads a virtual table"
    case .cannotCompareKeys: "reads a table whose key has an unknown collation or encoding"
    case .readsOtherDatabase: "reads another database than the file itself"
    case .cannotNameRowID: "reads a table whose columns hide the row id"
    case .callsFunction(let name): "calls \(name)(), whose result may change"
    case .hasInstruction(let opcode): "does more than read row after row (\(opcode))"
    case .readsInUnknownOrder: "reads its rows in an order that is not known"
    case .looksUpRows: "looks its rows up"
    case .hasUnknownParameters: "has parameters that could not be numbered"
    case .hasUnknownLimit: "has a limit that is not a number"
    case .hasLargeWindow: "has a large limit or offset"
    case .countsWindow: "counts the rows of a window"
    case .readsOtherColumns: "reads other columns than the query for its changed rows"
    case .scansForChangedRows: "reads a table that is small, by the statistics of ANALYZE"
    case .cannotBeCompiled: "cannot be compiled for its changed rows"
    }
  }
}
