/// The order in which a compiled query over one table finds its rows.
struct ScanOrder: Hashable {
  /// The columns of the index that is read, as terms of an `ORDER BY`; empty for the table itself.
  let indexTerms: [String]
  let isReversed: Bool
  /// Whether the rows that are found are sorted. Rows that are equal in all terms of the `ORDER BY`
  /// stay in the order in which they were found: SQLite's sorter is stable.
  let isSorted: Bool

  /// Returns terms that order rows as the query does.
  ///
  /// - Parameters:
  ///   - order: The `ORDER BY` of the query.
  ///   - rowID: The row id, qualified.
  /// - Returns: The terms, separated by commas.
  func terms(after order: String?, rowID: String) -> String {
    // Without a sorter, the rows are found in the order that the query asks for.
    let sorted = isSorted ? order.map { [$0] } ?? [] : []
    return (sorted + indexTerms + [isReversed ? "\(rowID) DESC" : rowID]).joined(separator: ", ")
  }
}

extension ScanOrder {
  /// Works out the order from a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - table: The only table that it reads.
  ///   - schema: The schema.
  ///   - qualifier: How columns of the table are qualified.
  ///   - db: The connection.
  /// - Returns: The order.
  /// - Throws: When the program has not exactly one loop over the table, or over one of its
  ///   indexes.
  static func order(
    of program: ExplainedProgram,
    _ table: TableName,
    _ schema: RegionSchema,
    qualifier: String,
    _ db: Database
  ) throws -> ScanOrder {
    let loop = try loop(of: program, table, schema)
    var terms: [String] = []
    if let index = loop.index {
      terms = try indexTerms(index, isReversed: loop.isReversed, qualifier: qualifier, db)
    }
    return ScanOrder(
      indexTerms: terms,
      isReversed: loop.isReversed,
      isSorted: program.instructions.contains { sorts.contains($0.opcode) }
    )
  }

  /// Finds the only loop of a program over a table, or over one of its indexes.
  ///
  /// - Returns: The index, or `nil` for the table itself; and whether it is read backwards.
  /// - Throws: ``PatchObstacle`` when the program does anything else.
  static func loop(
    of program: ExplainedProgram,
    _ table: TableName,
    _ schema: RegionSchema
  ) throws -> (index: RegionSchema.Root?, isReversed: Bool) {
    var contents: [Int64: RegionSchema.Root] = [:]
    for instruction in program.instructions {
      guard known.contains(instruction.opcode) else {
        throw PatchObstacle.hasInstruction(instruction.opcode)
      }
      guard instruction.opcode == "OpenRead" else { continue }
      let root = RegionSchema.Root(database: Int(instruction.p3), page: Int(instruction.p2))
      guard schema.contents[root]?.table == table, contents[instruction.p1] == nil else {
        throw PatchObstacle.readsSeveralTables
      }
      contents[instruction.p1] = root
    }
    let indexes = contents.filter { schema.contents[$0.value]?.isIndex == true }
    guard indexes.count <= 1, contents.count - indexes.count <= 1 else {
      throw PatchObstacle.readsSeveralTables
    }
    let loop = try loop(of: program, Set(contents.keys))
    guard let index = indexes.first else { return (nil, loop.isReversed) }
    guard loop.cursor == index.key else { throw PatchObstacle.readsInUnknownOrder }
    return (index.value, loop.isReversed)
  }

  /// Whether a program reads no rows of a table but those that it looks up by their ids.
  static func looksUpRows(_ program: ExplainedProgram) -> Bool {
    let cursors = Set(program.instructions.filter { $0.opcode == "OpenRead" }.map(\.p1))
    return !program.instructions.contains { cursors.contains($0.p1) && starts.contains($0.opcode) }
  }

  /// Finds the only loop over a b-tree of the database.
  private static func loop(
    of program: ExplainedProgram,
    _ cursors: Set<Int64>
  ) throws -> (cursor: Int64, isReversed: Bool) {
    let sorters = Set(
      program.instructions.filter { sorts.contains($0.opcode) }.map(\.p1)
    )
    let steps = program.instructions.filter {
      ($0.opcode == "Next" || $0.opcode == "Prev") && !sorters.contains($0.p1)
    }
    guard steps.count == 1, sorters.count <= 1 else {
      if steps.isEmpty { throw PatchObstacle.looksUpRows }
      throw PatchObstacle.readsInUnknownOrder
    }
    let starts = program.instructions.filter {
      self.starts.contains($0.opcode) && !sorters.contains($0.p1)
    }
    guard starts.count == 1, starts[0].p1 == steps[0].p1, cursors.contains(steps[0].p1) else {
      throw PatchObstacle.readsInUnknownOrder
    }
    return (steps[0].p1, steps[0].opcode == "Prev")
  }

  /// Returns the terms by which an index is ordered.
  private static func indexTerms(
    _ root: RegionSchema.Root,
    isReversed: Bool,
    qualifier: String,
    _ db: Database
  ) throws -> [String] {
    let schemaName = try String.fetchOne(
      db,
      sql: "SELECT name FROM pragma_database_list WHERE seq = ?",
      arguments: [root.database]
    )
    guard let schemaName else { throw PatchObstacle.readsInUnknownOrder }
    let index = try String.fetchOne(
      db,
      sql: """
        SELECT name FROM \(schemaName.quotedDatabaseIdentifier).sqlite_master
        WHERE type = 'index' AND rootpage = ?
        """,
      arguments: [root.page]
    )
    guard let index else { throw PatchObstacle.readsInUnknownOrder }
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT name, "desc", coll FROM pragma_index_xinfo(?, ?) WHERE key ORDER BY seqno
        """,
      arguments: [index, schemaName]
    )
    return try columns.map { column in
      guard let name = column["name"] as String?, let collation = column["coll"] as String? else {
        // The index has an expression.
        throw PatchObstacle.readsInUnknownOrder
      }
      let isDescending = (column["desc"] as Bool) != isReversed
      return """
        \(qualifier).\(name.quotedDatabaseIdentifier) \
        COLLATE \(collation.quotedDatabaseIdentifier)\(isDescending ? " DESC" : "")
        """
    }
  }

  private static let sorts: Set<String> = ["Sort", "SorterSort"]

  /// Instructions that begin a loop.
  private static let starts: Set<String> = [
    "Last", "Rewind", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
  ]

  /// Instructions of a program that computes each row of its result from one row of a table, and
  /// may sort the results.
  private static let known: Set<String> = [
    "Add", "AddImm", "Affinity", "And", "BeginSubrtn", "BitAnd", "BitNot", "BitOr", "Blob", "Cast",
    "CollSeq", "Column", "Concat", "Copy", "DecrJumpZero", "DeferredSeek", "Delete", "Divide",
    "ElseEq", "Eq", "Explain", "FinishSeek", "Found", "Function", "Ge", "Goto", "Gt", "Halt",
    "IdxGE", "IdxGT", "IdxInsert", "IdxLE", "IdxLT", "IdxRowid", "If", "IfNot", "IfNotZero",
    "IfNullRow", "IfPos", "Init", "Int64", "Integer", "IsNull", "IsTrue", "Last", "Le", "Lt",
    "MakeRecord", "Move", "Multiply", "MustBeInt", "Ne", "Next", "Noop", "Not", "NotExists",
    "NotFound", "NotNull", "Null", "NullRow", "OffsetLimit", "Once", "OpenEphemeral", "OpenPseudo",
    "OpenRead", "Or", "Prev", "PureFunc", "Real", "RealAffinity", "Remainder", "ResultRow",
    "Return", "Rewind", "Rowid", "SCopy", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "SeekRowid",
    "Sequence", "ShiftLeft", "ShiftRight", "Sort", "SorterData", "SorterInsert", "SorterNext",
    "SorterOpen", "SorterSort", "String8", "Subtract", "Transaction", "Variable", "ZeroOrNull",
  ]
}
