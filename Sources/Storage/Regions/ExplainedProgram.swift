/// The program to which SQLite compiles a statement, as `EXPLAIN` shows it.
/// https://www.sqlite.org/opcode.html
struct ExplainedProgram {
  struct Instruction {
    let opcode: String
    let p1: Int64
    let p2: Int64
    let p3: Int64
    /// The number of `Int64`, whose operand does not fit the other ones.
    let p4: Int64?
    /// The number of `Real`, rounded to 16 digits.
    let real: Double?
    /// The text of `String8`.
    let text: String?
    /// The name of the function that the instruction calls.
    let function: String?
    /// How many columns of an index a seek compares.
    let keyCount: Int?
    /// The collation of a comparison, or of the first column of a temporary b-tree.
    let collation: String?
    /// The affinities that are applied to registers, a letter each.
    let affinities: String?
    /// The flags of a comparison.
    let flags: Int64?
    /// The key of a sorter, as `EXPLAIN` writes it.
    let keyText: String?

    /// Whether the instruction opens a cursor on a b-tree of the database.
    var opensTable: Bool { opcode == "OpenRead" || opcode == "OpenWrite" || opcode == "ReopenIdx" }
  }

  /// The source of a register's content.
  enum Value {
    /// The parameter with this index.
    case parameter(Int32)
    case integer(Int64)
    /// A number that `EXPLAIN` has rounded.
    case real(Double)
    case text(String)
    case null
  }

  let instructions: [Instruction]

  init(instructions: [Instruction]) {
    self.instructions = instructions
  }

  /// Explains a statement. The program may depend on the values of the parameters.
  init(
    explaining sql: String,
    arguments: StatementArguments? = nil,
    _ db: Database
  ) throws {
    // The encoding follows the name: `NOCASE-8`. SQLite cuts long names.
    func collation(_ row: Row) throws -> String {
      guard let text = try row.decode(String?.self, atIndex: 5) else { return "BINARY" }
      return text.lastIndex(of: "-").map { String(text[..<$0]) } ?? text
    }
    // `k(1,NOCASE)`, where `B` means BINARY.
    func firstCollation(_ row: Row) throws -> String? {
      guard let text = try row.decode(String?.self, atIndex: 5), text.hasPrefix("k(") else {
        return nil
      }
      let names = text.dropFirst(2).split(separator: ",", omittingEmptySubsequences: false)
      guard names.count > 1 else { return nil }
      let name = names[1].filter { $0 != ")" }
      return name.isEmpty || name == "B" ? "BINARY" : name
    }
    // Not cached: each statement is explained only once.
    let statement = try db.makeStatement(sql: "EXPLAIN \(sql)")
    if let arguments { try statement.setArguments(arguments) }
    var instructions: [Instruction] = []
    let rows = RowCursor(statement)
    while let row = try rows.next() {
      let opcode = try row.decode(String.self, atIndex: 1)
      let p4 = opcode == "Int64" ? Int64(try row.decode(String.self, atIndex: 5)) : nil
      // The number of arguments follows the name: `abs(1)`.
      let function =
        Self.calls.contains(opcode)
        ? try row.decode(String?.self, atIndex: 5).map { String($0.prefix { $0 != "(" }) } : nil
      instructions.append(
        Instruction(
          opcode: opcode,
          p1: try row.decode(Int64.self, atIndex: 2),
          p2: try row.decode(Int64.self, atIndex: 3),
          p3: try row.decode(Int64.self, atIndex: 4),
          p4: p4,
          real: opcode == "Real" ? Double(try row.decode(String.self, atIndex: 5)) : nil,
          // A view may hold a text that is not UTF-8.
          text: opcode == "String8" ? try? row.decode(String.self, atIndex: 5) : nil,
          function: function,
          keyCount: Self.seeks.contains(opcode)
            ? try row.decode(String?.self, atIndex: 5).flatMap { Int($0) } : nil,
          collation: Self.comparisons.contains(opcode)
            ? try collation(row) : opcode == "OpenEphemeral" ? try firstCollation(row) : nil,
          affinities: opcode == "Affinity" ? try row.decode(String?.self, atIndex: 5) : nil,
          flags: Self.comparisons.contains(opcode) ? try row.decode(Int64.self, atIndex: 6) : nil,
          keyText: opcode == "SorterOpen" ? try row.decode(String?.self, atIndex: 5) : nil
        )
      )
    }
    self.instructions = instructions
  }

  /// Returns the row ids that a table's cursor looks up, if it only looks up single rows, and only
  /// by parameters or constants; otherwise `nil`.
  func keys(ofCursor cursor: Int64) -> [Value]? {
    var keys: [Value] = []
    for instruction in instructions where instruction.p1 == cursor {
      if Self.scans.contains(instruction.opcode) { return nil }
      guard Self.lookups.contains(instruction.opcode) else { continue }
      guard let values = rowIDs(ofRegister: instruction.p3) else { return nil }
      keys += values
    }
    return keys.isEmpty ? nil : keys
  }

  /// Returns every row id that a register can have, if all are parameters or constants; otherwise
  /// `nil`.
  func rowIDs(ofRegister register: Int64) -> [Value]? {
    guard let values = values(ofRegister: register), !values.contains(where: \.becomesRowID) else {
      return nil
    }
    return values
  }

  /// The parameters with the patterns of `LIKE` and `GLOB`.
  var patternParameters: [Int32] {
    var parameters: Set<Int32> = []
    for instruction in instructions where Self.matches.contains(instruction.function ?? "") {
      for case .parameter(let index) in values(ofRegister: instruction.p2) ?? [] {
        parameters.insert(index)
      }
    }
    return parameters.sorted()
  }

  /// Returns whether the program only passes over the rows of a cursor. It loads no column and no
  /// row id, so that neither their values nor their order matters.
  func onlyCountsRows(ofCursor cursor: Int64) -> Bool {
    instructions.allSatisfy {
      $0.p1 != cursor || Self.passes.contains($0.opcode) || Self.usesNoCursor.contains($0.opcode)
    }
  }

  /// Returns every value that a register can have, if all are parameters or constants; otherwise
  /// `nil`.
  ///
  /// - Parameters:
  ///   - register: The register.
  ///   - ignoresAffinity: Whether instructions that convert the content are passed over.
  /// - Returns: The values before they are converted.
  func values(ofRegister register: Int64, ignoresAffinity: Bool = false) -> [Value]? {
    var values: [Value] = []
    for instruction in instructions where instruction.mayWrite(register) {
      if ignoresAffinity, instruction.opcode == "Affinity" { continue }
      if instruction.opcode == "Column", instruction.p2 == 0 {
        guard let elements = elements(ofList: instruction.p1) else { return nil }
        values += elements
      } else {
        guard let value = instruction.constant else { return nil }
        values.append(value)
      }
    }
    return values.isEmpty ? nil : values
  }

  /// Returns the elements of the list of an `IN` operator, if all are parameters or constants;
  /// otherwise `nil`.
  ///
  /// SQLite stores the list in a temporary b-tree. For each element, it loads a register, makes a
  /// record of it, and inserts the record.
  func elements(ofList cursor: Int64) -> [Value]? {
    let own = instructions.indices.filter {
      instructions[$0].p1 == cursor && Self.fills.contains(instructions[$0].opcode)
    }
    // The addresses of jumps are positions in the list of instructions only if no trigger runs.
    guard own.contains(where: { instructions[$0].opcode == "OpenEphemeral" }),
      !instructions.contains(where: { $0.opcode == "Program" })
    else { return nil }
    let targets = jumpTargets
    var elements: [Value] = []
    for index in own where instructions[index].opcode != "OpenEphemeral" {
      guard instructions[index].opcode == "IdxInsert", index >= 2 else { return nil }
      let (load, record) = (instructions[index - 2], instructions[index - 1])
      guard record.opcode == "MakeRecord", record.p2 == 1, record.p3 == instructions[index].p2,
        let element = load.constant, load.p2 == record.p1,
        !targets.contains(Int64(index)), !targets.contains(Int64(index - 1))
      else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// Returns the collation of the list of an `IN` operator.
  func collation(ofList cursor: Int64) -> String? {
    let openings = instructions.filter { $0.p1 == cursor && $0.opcode == "OpenEphemeral" }
    return openings.count == 1 ? openings[0].collation : nil
  }

  /// Returns the address behind instructions that run once, if they only fill a temporary b-tree
  /// with constants.
  func endOfList(from address: Int) -> Int? {
    let end = Int(instructions[address].p2)
    guard address < end, end < instructions.count,
      instructions[(address + 1)..<end].allSatisfy({ Self.fillsList.contains($0.opcode) })
    else { return nil }
    return end
  }

  /// The addresses to which instructions may jump.
  var jumpTargets: Set<Int64> {
    var targets: Set<Int64> = []
    for instruction in instructions where !instruction.isKnownNotToJump {
      targets.insert(instruction.p2)
      if instruction.opcode == "Jump" { targets.formUnion([instruction.p1, instruction.p3]) }
      if instruction.opcode == "InitCoroutine" { targets.insert(instruction.p3) }
    }
    return targets
  }

  /// Whether an instruction may jump to one of several addresses.
  func isJumpedInto(_ addresses: Range<Int>) -> Bool {
    let targets = jumpTargets
    return addresses.contains { targets.contains(Int64($0)) }
  }

  /// Instructions that make a list of constants.
  private static let fillsList: Set<String> = [
    "IdxInsert", "Int64", "Integer", "MakeRecord", "Null", "NullRow", "OpenEphemeral", "Real",
    "ReleaseReg", "String8", "Variable",
  ]

  /// Instructions that call a function for each row.
  private static let calls: Set<String> = ["AggStep", "Function", "PureFunc"]

  /// The functions of `LIKE` and `GLOB`, whose first argument is the pattern.
  private static let matches: Set<String> = ["glob", "like"]

  /// Instructions that compare the row of a cursor with a key of some columns.
  private static let seeks: Set<String> = [
    "IdxGE", "IdxGT", "IdxLE", "IdxLT", "NotFound", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
  ]

  /// Instructions that compare two registers.
  static let comparisons: Set<String> = ["Eq", "Ge", "Gt", "Le", "Lt", "Ne"]

  /// Instructions that move a table's cursor to the row with one id.
  static let lookups: Set<String> = ["SeekRowid", "NotExists"]

  /// Instructions that move a table's cursor over several rows.
  private static let scans: Set<String> = [
    "Rewind", "Last", "Sort", "SorterSort", "Next", "Prev", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
    "SeekScan", "Count", "RowData", "Found", "NotFound", "IfNotOpen", "OpenDup",
  ]

  /// Instructions that open a cursor, or move it from row to row.
  private static let passes: Set<String> = [
    "Close", "Count", "Next", "NullRow", "OpenRead", "Prev", "Rewind",
  ]

  /// Instructions whose P1 is known not to be a cursor.
  static let usesNoCursor: Set<String> = [
    "Add", "AddImm", "Affinity", "AggFinal", "AggInverse", "AggStep", "AggStep1", "AggValue", "And",
    "BeginSubrtn", "BitAnd", "BitNot", "BitOr", "Blob", "Cast", "ClrSubtype", "CollSeq", "Compare",
    "Concat", "Copy", "DecrJumpZero", "Divide", "ElseEq", "EndCoroutine", "Eq", "Explain",
    "Function", "Ge", "GetSubtype", "Gosub", "Goto", "Gt", "Halt", "HaltIfNull", "If", "IfNot",
    "IfNotZero", "IfPos", "Init", "InitCoroutine", "Int64", "Integer", "IsNull", "IsTrue", "Jump",
    "Le", "Lt", "MakeRecord", "MemMax", "Move", "Multiply", "MustBeInt", "Ne", "Noop", "Not",
    "NotNull", "Null", "OffsetLimit", "Once", "Or", "Permutation", "PureFunc", "Real",
    "RealAffinity", "Remainder", "ResultRow", "Return", "RowSetAdd", "RowSetRead", "RowSetTest",
    "SCopy", "SetSubtype", "ShiftLeft",
    "ShiftRight", "SoftNull", "String8", "Subtract", "Trace", "Transaction", "Variable", "Yield",
    "ZeroOrNull",
  ]

  /// Instructions that open a temporary b-tree, or insert into one.
  private static let fills: Set<String> = [
    "OpenEphemeral", "OpenAutoindex", "OpenDup", "OpenPseudo", "OpenRead", "OpenWrite",
    "ReopenIdx", "IdxInsert", "Insert", "RowCell", "SorterInsert", "SorterOpen", "VOpen",
  ]
}
