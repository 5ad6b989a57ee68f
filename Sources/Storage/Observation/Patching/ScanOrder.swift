internal import WellspringPlatform

/// The order in which a compiled query over one table finds its rows.
struct ScanOrder: Hashable {
  /// The columns of the index that is read, as terms of an `ORDER BY`; empty for a table with row
  /// ids.
  let indexTerms: [String]
  let isReversed: Bool
  /// Whether the rows that are found are sorted. Rows that are equal in all terms of the `ORDER BY`
  /// stay in the order in which they were found: SQLite's sorter is stable.
  let isSorted: Bool

  /// Returns terms that order rows as the query does.
  ///
  /// - Parameters:
  ///   - order: The `ORDER BY` of the query.
  ///   - rowID: The row id, qualified; `nil` if the table has none, and the terms of the index end
  ///     with its key.
  /// - Returns: The terms, separated by commas.
  func terms(after order: String?, rowID: String?) -> String {
    // Without a sorter, the rows are found in the order that the query asks for.
    let isReversed = isReversed != Fault.isOn(.patchTie)
    let sorted = isSorted ? order.map { [$0] } ?? [] : []
    let last = rowID.map { [isReversed ? "\($0) DESC" : $0] } ?? []
    return (sorted + indexTerms + last).joined(separator: ", ")
  }
}

extension ScanOrder {
  /// Works out the order from a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - table: The only table that it reads.
  ///   - schema: The schema.
  ///   - key: The row id or the key of the table.
  ///   - qualifier: How columns of the table are qualified.
  ///   - db: The connection.
  /// - Returns: The order.
  /// - Throws: When the program has not exactly one loop over the table, or over one of its
  ///   indexes.
  static func order(
    of program: ExplainedProgram,
    _ table: TableName,
    _ schema: RegionSchema,
    _ key: PatchKey,
    qualifier: String,
    _ db: Database
  ) throws -> ScanOrder {
    let loop = try loop(of: program, table, schema)
    var terms = key.terms(isReversed: loop.isReversed)
    if let index = loop.index {
      terms = try indexTerms(index, key, isReversed: loop.isReversed, qualifier: qualifier, db)
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

  /// Whether a program reads no rows of a table but those that it looks up by their ids or keys.
  static func looksUpRows(
    _ program: ExplainedProgram,
    _ key: PatchKey,
    _ schema: RegionSchema
  ) -> Bool {
    let opened = program.instructions.filter { $0.opcode == "OpenRead" }
    let cursors = Set(opened.map(\.p1))
    let ends = ["SeekGE": "IdxGT", "SeekLE": "IdxLT"]
    return program.instructions.indices.allSatisfy { index in
      let start = program.instructions[index]
      guard cursors.contains(start.p1), starts.contains(start.opcode) else { return true }
      // The rows of one whole key are one row.
      guard !key.isRowID, index + 1 < program.instructions.count else { return false }
      let end = program.instructions[index + 1]
      return end.opcode == ends[start.opcode] && end.p1 == start.p1 && end.p3 == start.p3
        && start.keyCount == key.columns.count && end.keyCount == start.keyCount
        && opened.allSatisfy {
          $0.p1 != start.p1
            || schema.contents[RegionSchema.Root(database: Int($0.p3), page: Int($0.p2))]?.isIndex
              == false
        }
    }
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
    _ key: PatchKey,
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
    let columns = try Row.fetchAll(
      db,
      sql: """
        SELECT info.name, info."desc", info.coll
        FROM \(schemaName.quotedDatabaseIdentifier).sqlite_master AS entry,
          pragma_index_xinfo(entry.name, ?) AS info
        WHERE entry.type = 'index' AND entry.rootpage = ? AND (info.key OR ?) ORDER BY info.seqno
        """,
      // Without row ids, an index ends with the columns of the key that it does not have.
      arguments: [schemaName, root.page, !key.isRowID]
    )
    guard !columns.isEmpty else { throw PatchObstacle.readsInUnknownOrder }
    return try columns.map { column in
      guard let name = column.schemaText("name"), !name.mayBeRepaired,
        let collation = column.schemaText("coll"), !collation.mayBeRepaired
      else {
        // The index has an expression, or a name that is not UTF-8.
        throw PatchObstacle.readsInUnknownOrder
      }
      let term = PatchKey.term(qualifier, name, collation: collation)
      return (column["desc"] as Bool) != isReversed ? term + " DESC" : term
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
