internal import WellspringSystem

/// The order in which a compiled query finds its rows: the order of its nested loops over tables.
struct ScanOrder: Hashable {
  /// A loop over a table, or over one of its indexes.
  struct Loop: Hashable {
    /// The columns of the index that is read, as terms of an `ORDER BY`; empty for a table with row
    /// ids.
    let indexTerms: [String]
    /// The row id, qualified; `nil` if the table has none, and the terms of the index end with its
    /// key.
    let rowID: String?
    let isReversed: Bool

    /// `indexTerms` is `nil` for the table itself.
    init(over table: PatchTable, indexTerms: [String]? = nil, isReversed: Bool) {
      self.indexTerms = indexTerms ?? table.key.terms(isReversed: isReversed)
      rowID = table.key.rowID
      self.isReversed = isReversed
    }

    fileprivate var terms: [String] {
      let isReversed = isReversed != Fault.isOn(.patchTie)
      return indexTerms + (rowID.map { [isReversed ? "\($0) DESC" : $0] } ?? [])
    }
  }

  /// The loops, the outer ones first.
  let loops: [Loop]
  /// Whether the rows that are found are sorted. Rows that are equal in all terms of the `ORDER BY`
  /// stay in the order in which they were found: SQLite's sorter is stable.
  let isSorted: Bool

  /// Returns terms that order rows as the query does.
  ///
  /// - Parameter order: The `ORDER BY` of the query.
  /// - Returns: The terms, separated by commas.
  func terms(after order: String?) -> String {
    // Without a sorter, the rows are found in the order that the query asks for.
    let sorted = isSorted ? order.map { [$0] } ?? [] : []
    let loops = Fault.isOn(.patchLoops) ? loops.suffix(1) : loops[...]
    return (sorted + loops.flatMap(\.terms)).joined(separator: ", ")
  }
}

extension ScanOrder {
  /// Works out the order from a program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - tables: The tables that it reads.
  ///   - schema: The schema.
  ///   - db: The connection.
  ///   - lines: Returns the lines of the query plan.
  /// - Returns: The order.
  /// - Throws: When the program does anything else than loop over tables, or over one index of
  ///   each.
  static func order(
    of program: ExplainedProgram,
    _ tables: [PatchTable],
    _ schema: RegionSchema,
    _ db: Database,
    lines: () throws -> [String]
  ) throws -> ScanOrder {
    let roots = try loops(of: program, tables, schema, db)
    let loops = try roots.map { root, isReversed in
      guard let content = schema.contents[root] else { throw PatchObstacle.readsInUnknownOrder }
      let references = tables.filter { $0.name == content.table }
      var table = references[0]
      if references.count > 1 {
        guard roots.count(where: { schema.contents[$0.root]?.table == content.table }) == 1,
          try readsInOrder(program, root, content.table, schema)
        else { throw PatchObstacle.readsTableTwice }
        table = try looped(references, lines())
      }
      let terms = content.isIndex ? try indexTerms(root, table, isReversed: isReversed, db) : nil
      return Loop(over: table, indexTerms: terms, isReversed: isReversed)
    }
    return ScanOrder(
      loops: loops,
      isSorted: program.instructions.contains { sorts.contains($0.opcode) }
    )
  }

  /// Whether a program that reads a table several times uses no other index of it than its loop.
  private static func readsInOrder(
    _ program: ExplainedProgram,
    _ loop: RegionSchema.Root,
    _ table: TableName,
    _ schema: RegionSchema
  ) throws -> Bool {
    let indexes = program.instructions.filter { $0.opcode == "OpenRead" }
      .map { RegionSchema.Root(opening: $0) }
      .filter { schema.contents[$0]?.table == table && schema.contents[$0]?.isIndex == true }
    return indexes.isEmpty || indexes == [loop]
  }

  /// Returns the reference to a table that is read in a loop, out of several: the query plan says
  /// that the other references look up single rows by their ids.
  private static func looped(_ references: [PatchTable], _ lines: [String]) throws -> PatchTable {
    let looped = try references.filter { reference in
      let name = reference.qualifier.withoutQuotes
      // A line names a table without quotes.
      let isWord = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      let own = lines.filter { line in
        ["SCAN", "SEARCH"].contains { line == "\($0) \(name)" || line.hasPrefix("\($0) \(name) ") }
      }
      guard isWord, own.count == 1 else { throw PatchObstacle.readsTableTwice }
      let lookup = "SEARCH \(name) USING INTEGER PRIMARY KEY (rowid=?)"
      return own[0] != lookup && own[0] != "\(lookup) LEFT-JOIN"
    }
    guard looped.count == 1 else { throw PatchObstacle.readsTableTwice }
    return Fault.isOn(.patchSelfJoin) ? references[0] : looped[0]
  }

  /// Finds the nested loops of a program over tables, or over one index of each.
  ///
  /// - Returns: The table or the index of each loop, and whether it is read backwards. The outer
  ///   loops come first.
  /// - Throws: ``PatchObstacle`` when the program does anything else.
  @discardableResult
  static func loops(
    of program: ExplainedProgram,
    _ tables: [PatchTable],
    _ schema: RegionSchema,
    _ db: Database
  ) throws -> [(root: RegionSchema.Root, isReversed: Bool)] {
    var roots: [Int64: RegionSchema.Root] = [:]
    try checkInstructions(of: program)
    for instruction in program.instructions where instruction.opcode == "OpenRead" {
      let root = RegionSchema.Root(opening: instruction)
      guard let table = schema.contents[root]?.table, tables.contains(where: { $0.name == table }),
        roots[instruction.p1] == nil
      else { throw PatchObstacle.hasSubquery }
      roots[instruction.p1] = root
    }
    let uniqueKeys = try uniqueKeys(in: program, roots, db)
    let loops = try loops(of: program, Set(roots.keys), uniqueKeys)
    for table in tables where tables.count(where: { $0.name == table.name }) == 1 {
      // An index is read in its order, and then the row that it names.
      let cursors = roots.filter { schema.contents[$0.value]?.table == table.name }
      let indexes = cursors.filter { schema.contents[$0.value]?.isIndex == true }
      guard indexes.count <= 1, cursors.count - indexes.count <= 1 else {
        throw PatchObstacle.readsInUnknownOrder
      }
      guard loops.contains(where: { cursors[$0.cursor] != nil }), let index = indexes.first,
        !loops.contains(where: { $0.cursor == index.key })
      else { continue }
      throw PatchObstacle.readsInUnknownOrder
    }
    return loops.compactMap { loop in roots[loop.cursor].map { ($0, loop.isReversed) } }
  }

  /// Checks that a program only computes rows from rows of tables, and may sort them.
  static func checkInstructions(of program: ExplainedProgram) throws {
    if let unknown = program.instructions.first(where: { !known.contains($0.opcode) }) {
      throw PatchObstacle.hasInstruction(unknown.opcode)
    }
  }

  /// Whether a program reads only rows of a table that it looks up by their ids or keys, and single
  /// rows of the other tables.
  static func looksUpRows(
    _ program: ExplainedProgram,
    of table: TableName,
    _ key: PatchKey,
    _ schema: RegionSchema,
    _ db: Database
  ) throws -> Bool {
    let opened = program.instructions.filter { $0.opcode == "OpenRead" }
    let cursors = Set(opened.map(\.p1))
    let roots = Dictionary(opened.map { ($0.p1, RegionSchema.Root(opening: $0)) }) { root, _ in root
    }
    let steps = Set(program.instructions.filter { self.steps.contains($0.opcode) }.map(\.p1))
      .subtracting(try uniqueKeys(in: program, roots, db))
    return program.instructions.indices.allSatisfy { index in
      let start = program.instructions[index]
      guard cursors.contains(start.p1), starts.contains(start.opcode) else { return true }
      // No other row follows this one.
      if !steps.contains(start.p1) { return true }
      // A whole key of the table has one row. A part of another table's key may have several.
      guard !key.isRowID, index + 1 < program.instructions.count else { return false }
      let end = program.instructions[index + 1]
      return end.opcode == ends[start.opcode] && end.p1 == start.p1 && end.p3 == start.p3
        && start.keyCount == key.columns.count && end.keyCount == start.keyCount
        && opened.allSatisfy { opening in
          guard opening.p1 == start.p1 else { return true }
          let content = schema.contents[RegionSchema.Root(opening: opening)]
          return content?.isIndex == false && content?.table == table
        }
    }
  }

  /// Whether a program that looks rows up finds one at most: it has no loop but those over sorted
  /// rows.
  static func findsOneRow(_ program: ExplainedProgram) -> Bool {
    // `looksUpRows` has checked the loops over tables. Any further loop belongs to an `IN` list.
    let checked = Set(
      program.instructions.filter { $0.opcode == "OpenRead" || sorts.contains($0.opcode) }.map(\.p1)
    )
    let starts = program.instructions.filter { self.starts.contains($0.opcode) }.map(\.p1)
    // A cursor that several instructions set may be in a loop without an end of its own.
    return Set(starts).count == starts.count
      && program.instructions.allSatisfy {
        known.contains($0.opcode) && (!steps.contains($0.opcode) || checked.contains($0.p1))
      }
  }

  /// Instructions that begin a loop over the rows with a key, and the instructions that end it.
  private static let ends = ["SeekGE": "IdxGT", "SeekLE": "IdxLT"]

  /// Returns the cursors that only look for whole keys in unique indexes: each finds one row.
  ///
  /// SQLite looks for a second row where a column of the index may be NULL.
  private static func uniqueKeys(
    in program: ExplainedProgram,
    _ roots: [Int64: RegionSchema.Root],
    _ db: Database
  ) throws -> Set<Int64> {
    var cursors: Set<Int64> = []
    for (index, start) in program.instructions.enumerated().dropLast() {
      let end = program.instructions[index + 1]
      guard let root = roots[start.p1], let count = start.keyCount,
        ends[start.opcode] == end.opcode, end.p1 == start.p1, end.p3 == start.p3,
        end.keyCount == count,
        // A key with NULL is not looked for.
        (start.p3..<start.p3 + Int64(count)).allSatisfy({ register in
          program.instructions[..<index].contains {
            $0.opcode == "IsNull" && $0.p1 == register && $0.p2 == start.p2
          }
        }),
        program.instructions.count(where: { $0.p1 == start.p1 && starts.contains($0.opcode) }) == 1
      else { continue }
      if try uniqueKeyCount(of: root, db) == count { cursors.insert(start.p1) }
    }
    return cursors
  }

  /// Returns the number of columns of a unique index; `nil` for other b-trees.
  private static func uniqueKeyCount(of root: RegionSchema.Root, _ db: Database) throws -> Int? {
    guard root.database == 0 else { return nil }
    return try Int.fetchOne(
      db,
      sql: """
        SELECT count(*)
        FROM main.sqlite_master AS entry, pragma_index_list(entry.tbl_name, 'main') AS list,
          pragma_index_info(entry.name, 'main') AS info
        WHERE entry.type = 'index' AND entry.rootpage = ? AND list.name = entry.name
          AND list."unique"
        HAVING count(*) > 0
        """,
      arguments: [root.page]
    )
  }

  /// Finds the nested loops over b-trees of the database, the outer ones first.
  private static func loops(
    of program: ExplainedProgram,
    _ cursors: Set<Int64>,
    _ uniqueKeys: Set<Int64>
  ) throws -> [(cursor: Int64, isReversed: Bool)] {
    let sorters = Set(
      program.instructions.filter { sorts.contains($0.opcode) }.map(\.p1)
    )
    let ends = program.instructions.filter {
      steps.contains($0.opcode) && !sorters.contains($0.p1) && !uniqueKeys.contains($0.p1)
    }
    guard !ends.isEmpty else { throw PatchObstacle.looksUpRows }
    let looped = Set(ends.map(\.p1))
    let begins = program.instructions.filter {
      starts.contains($0.opcode) && !sorters.contains($0.p1) && looped.contains($0.p1)
    }
    // Each loop begins and ends once, inside the one before it.
    guard sorters.count <= 1, looped.count == ends.count, looped.isSubset(of: cursors),
      begins.map(\.p1) == ends.reversed().map(\.p1)
    else { throw PatchObstacle.readsInUnknownOrder }
    let isReversed = Dictionary(uniqueKeysWithValues: ends.map { ($0.p1, $0.opcode == "Prev") })
    return begins.map { ($0.p1, isReversed[$0.p1] == true) }
  }

  /// Returns the terms by which an index is ordered.
  private static func indexTerms(
    _ root: RegionSchema.Root,
    _ table: PatchTable,
    isReversed: Bool,
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
      arguments: [schemaName, root.page, !table.key.isRowID]
    )
    guard !columns.isEmpty else { throw PatchObstacle.readsInUnknownOrder }
    return try columns.map { column in
      guard let name = column.schemaText("name"), !name.mayBeRepaired,
        let collation = column.schemaText("coll"), !collation.mayBeRepaired
      else {
        // The index has an expression, or a name that is not UTF-8.
        throw PatchObstacle.readsInUnknownOrder
      }
      let term = PatchKey.term(table.qualifier, name, collation: collation)
      return (column["desc"] as Bool) != isReversed ? term + " DESC" : term
    }
  }

  static let sorts: Set<String> = ["Sort", "SorterSort"]

  /// Instructions that end a loop.
  static let steps: Set<String> = ["Next", "Prev"]

  /// Instructions that begin a loop.
  static let starts: Set<String> = [
    "Last", "Rewind", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
  ]

  /// Instructions of a program that computes each row of its result from one row of each table, and
  /// may sort the results.
  private static let known: Set<String> = [
    "Add", "AddImm", "Affinity", "And", "BeginSubrtn", "BitAnd", "BitNot", "BitOr", "Blob", "Cast",
    "CollSeq", "Column", "Concat", "Copy", "DecrJumpZero", "DeferredSeek", "Delete", "Divide",
    "ElseEq", "Eq", "Explain", "FinishSeek", "Found", "Function", "Ge", "Goto", "Gt", "Halt",
    "IdxGE", "IdxGT", "IdxInsert", "IdxLE", "IdxLT", "IdxRowid", "If", "IfEmpty", "IfNot",
    "IfNotZero", "IfNullRow", "IfPos", "Init", "Int64", "Integer", "IsNull", "IsTrue", "Last", "Le",
    "Lt", "MakeRecord", "Move", "Multiply", "MustBeInt", "Ne", "Next", "Noop", "Not", "NotExists",
    "NotFound", "NotNull", "Null", "NullRow", "OffsetLimit", "Once", "OpenEphemeral", "OpenPseudo",
    "OpenRead", "Or", "Prev", "PureFunc", "Real", "RealAffinity", "Remainder", "ResultRow",
    "Return", "Rewind", "Rowid", "SCopy", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "SeekRowid",
    "Sequence", "ShiftLeft", "ShiftRight", "Sort", "SorterData", "SorterInsert", "SorterNext",
    "SorterOpen", "SorterSort", "String8", "Subtract", "Transaction", "Variable", "ZeroOrNull",
  ]
}

extension RegionSchema.Root {
  /// The b-tree that an instruction opens.
  init(opening instruction: ExplainedProgram.Instruction) {
    self.init(database: Int(instruction.p3), page: Int(instruction.p2))
  }
}
