extension ExplainedProgram {
  /// Returns the program without the instructions for subqueries: with the loops over the tables of
  /// the query itself, and its sorter.
  ///
  /// - Parameters:
  ///   - inner: The tables of the subqueries.
  ///   - schema: The schema.
  /// - Returns: The rest. Where the values of a subquery lead to rows one after the other, the loop
  ///   is over these rows.
  /// - Throws: ``PatchObstacle`` when the order of the loops is not known.
  func withoutSubqueries(
    _ inner: Set<TableName>,
    _ schema: RegionSchema
  ) throws -> ExplainedProgram {
    guard !inner.isEmpty else { return self }
    return try SubqueryRemoval(self, inner, schema).result()
  }
}

/// Separates the instructions of a query from the instructions of its subqueries.
private struct SubqueryRemoval {
  /// A loop over a cursor, by the indexes of its first and last instruction.
  struct Loop {
    let cursor: Int64
    let start: Int
    let end: Int
  }

  private let instructions: [ExplainedProgram.Instruction]
  /// The cursors of the query's own tables, and their b-trees.
  private var outer: [Int64: RegionSchema.Content] = [:]
  /// The other cursors that are opened on b-trees of the database.
  private var inner: [Int64: RegionSchema.Content] = [:]

  init(
    _ program: ExplainedProgram,
    _ tables: Set<TableName>,
    _ schema: RegionSchema
  ) throws {
    instructions = program.instructions
    for instruction in instructions where instruction.opcode == "OpenRead" {
      guard let content = schema.contents[RegionSchema.Root(opening: instruction)] else {
        throw PatchObstacle.hasSubquery
      }
      if tables.contains(content.table) {
        inner[instruction.p1] = content
      } else {
        outer[instruction.p1] = content
      }
    }
    guard Set(outer.keys).isDisjoint(with: inner.keys) else { throw PatchObstacle.hasSubquery }
    // It could be an index of a table of the query itself.
    let opensIndex = instructions.contains { $0.opcode == "OpenAutoindex" }
    guard !opensIndex || Set(outer.values.map(\.table)).count == 1 else {
      throw PatchObstacle.hasInstruction("OpenAutoindex")
    }
  }

  func result() throws -> ExplainedProgram {
    var rest = instructions
    let loops = try loops()
    let own = loops.filter { outer[$0.cursor] != nil }
    var others = loops.filter { outer[$0.cursor] == nil }
    let lookup = own.isEmpty ? drivenLookup(others) : nil
    // The sorter of the query follows its loops.
    let last = own.map(\.end).max() ?? lookup?.driver.end ?? instructions.count
    let sorter = others.filter { $0.start > last && ScanOrder.sorts.contains(opcode($0.start)) }
      .min { $0.start < $1.start }
    others.removeAll { $0.cursor == sorter?.cursor }
    if let first = own.map(\.start).min() {
      let drivers = others.filter { $0.start < first && $0.end > first }
      guard drivers.isEmpty || drivers.count == 1 && leads(drivers[0], to: own) else {
        throw PatchObstacle.readsInUnknownOrder
      }
    } else if let lookup {
      others.removeAll { $0.cursor == lookup.driver.cursor }
      for index in [lookup.driver.start, lookup.driver.end] {
        rest[index] = rest[index].moving(lookup.cursor)
      }
    }
    let removed = Set(others.map(\.cursor)).union(inner.keys).subtracting(outer.keys)
    let moves = ScanOrder.starts.union(ScanOrder.steps).union(ScanOrder.sorts).union(["OpenRead"])
    return ExplainedProgram(
      instructions: rest.filter { instruction in
        !Self.work.contains(instruction.opcode)
          && !(moves.contains(instruction.opcode) && removed.contains(instruction.p1))
      }
    )
  }

  private func opcode(_ index: Int) -> String { instructions[index].opcode }

  /// Returns all loops of the program.
  private func loops() throws -> [Loop] {
    try instructions.indices
      .filter { ScanOrder.steps.contains(opcode($0)) || opcode($0) == "SorterNext" }
      .map { end in
        let cursor = instructions[end].p1
        let start = instructions[..<end].lastIndex {
          $0.p1 == cursor
            && (ScanOrder.starts.contains($0.opcode) || ScanOrder.sorts.contains($0.opcode))
        }
        guard let start else { throw PatchObstacle.readsInUnknownOrder }
        return Loop(cursor: cursor, start: start, end: end)
      }
  }

  // MARK: Loops over the values of a subquery

  /// Whether a loop over the values of a subquery, which looks for each of them in an index, finds
  /// the rows in the order of the index.
  private func leads(_ driver: Loop, to own: [Loop]) -> Bool {
    guard own.count == 1, isSorted(driver), let content = outer[own[0].cursor], content.isIndex,
      content.firstCollation == .binary, !content.firstIsDescending, own[0].end < driver.end,
      // The values may lead to a row of another table first, whose column is then looked for.
      loads(instructions[own[0].start].p3, from: driver, before: own[0].start)
    else { return false }
    return opcode(own[0].end) == opcode(driver.end)
  }

  /// Whether a loop loads a register with its own value.
  private func loads(_ register: Int64, from driver: Loop, before end: Int) -> Bool {
    instructions[driver.start..<end].contains {
      ["Column", "Rowid"].contains($0.opcode) && $0.p1 == driver.cursor
        && ($0.opcode == "Rowid" ? $0.p2 : $0.p3) == register
    }
  }

  /// Finds the row that is looked up by each of the values of a subquery.
  private func drivenLookup(_ loops: [Loop]) -> (driver: Loop, cursor: Int64)? {
    let lookups = instructions.indices.filter {
      ExplainedProgram.lookups.contains(opcode($0)) && outer[instructions[$0].p1] != nil
    }
    guard lookups.count == 1, let lookup = lookups.first else { return nil }
    let drivers = loops.filter { $0.start < lookup && $0.end > lookup }
    guard drivers.count == 1, let driver = drivers.first, isSorted(driver) else { return nil }
    let isDriven = loads(instructions[lookup].p3, from: driver, before: lookup)
    return isDriven ? (driver, instructions[lookup].p1) : nil
  }

  /// Whether a loop goes over different values in ascending order, or backwards in descending one.
  private func isSorted(_ loop: Loop) -> Bool {
    if let content = inner[loop.cursor] {
      // Row ids.
      return !content.isIndex
        && instructions[loop.start..<loop.end].contains {
          $0.opcode == "Rowid" && $0.p1 == loop.cursor
        }
    }
    let opening = instructions.filter { $0.opcode == "OpenEphemeral" && $0.p1 == loop.cursor }
    return opening.count == 1 && opening[0].collation == "BINARY"
  }

  /// Instructions of subqueries that move no cursor of the query around them.
  private static let work: Set<String> = [
    "AggFinal", "AggStep", "Close", "Compare", "Count", "Filter", "FilterAdd", "Gosub", "IfNotOpen",
    "Jump", "MemMax", "OpenAutoindex", "ResetSorter", "SorterCompare",
  ]
}

extension ExplainedProgram.Instruction {
  /// The same instruction for another cursor.
  fileprivate func moving(_ cursor: Int64) -> Self {
    Self(
      opcode: opcode,
      p1: cursor,
      p2: p2,
      p3: p3,
      p4: p4,
      real: real,
      text: text,
      function: function,
      keyCount: keyCount,
      collation: collation,
      affinities: affinities,
      flags: flags,
      keyText: keyText
    )
  }
}
