/// The program to which SQLite compiles a statement, as `EXPLAIN` shows it.
/// https://www.sqlite.org/opcode.html
struct ExplainedProgram {
  struct Instruction {
    let opcode: String
    let p1: Int64
    let p2: Int64
    let p3: Int64

    /// Whether the instruction opens a cursor on a b-tree of the database.
    var opensTable: Bool { opcode == "OpenRead" || opcode == "OpenWrite" || opcode == "ReopenIdx" }
  }

  /// The source of a register's content.
  enum Value {
    /// The parameter with this index.
    case parameter(Int32)
    case integer(Int64)
  }

  let instructions: [Instruction]

  init(explaining sql: String, _ db: Database) throws {
    // Not cached: each statement is explained only once.
    let statement = try db.makeStatement(sql: "EXPLAIN \(sql)")
    var instructions: [Instruction] = []
    let rows = RowCursor(statement)
    while let row = try rows.next() {
      instructions.append(
        Instruction(
          opcode: try row.decode(String.self, atIndex: 1),
          p1: try row.decode(Int64.self, atIndex: 2),
          p2: try row.decode(Int64.self, atIndex: 3),
          p3: try row.decode(Int64.self, atIndex: 4)
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
      guard let value = value(ofRegister: instruction.p3) else { return nil }
      keys.append(value)
    }
    return keys.isEmpty ? nil : keys
  }

  /// Returns the value of a register, if only one instruction can have written it; otherwise `nil`.
  private func value(ofRegister register: Int64) -> Value? {
    var value: Value?
    for instruction in instructions {
      if Self.writesNothing.contains(instruction.opcode) { continue }
      // All other instructions may write the registers P2 and P3. Some of them write several.
      switch instruction.opcode {
      case "Variable" where instruction.p2 == register:
        guard value == nil else { return nil }
        value = .parameter(Int32(instruction.p1))
      case "Integer" where instruction.p2 == register:
        guard value == nil else { return nil }
        value = .integer(instruction.p1)
      case "Column", "VColumn", "Variable", "Integer":
        if instruction.opcode.hasSuffix("Column"), instruction.p3 == register { return nil }
      case "Null", "Copy", "Move", "BeginSubrtn", "Gosub", "InitCoroutine", "Yield":
        return nil
      default:
        if instruction.p2 == register || instruction.p3 == register { return nil }
      }
    }
    return value
  }

  /// Instructions that move a table's cursor to the row with one id.
  private static let lookups: Set<String> = ["SeekRowid", "NotExists"]

  /// Instructions that move a table's cursor over several rows.
  private static let scans: Set<String> = [
    "Rewind", "Last", "Sort", "SorterSort", "Next", "Prev", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
    "SeekScan", "Count", "RowData", "Found", "NotFound", "IfNotOpen", "OpenDup",
  ]

  /// Instructions that write no register.
  private static let writesNothing: Set<String> = [
    "Close", "Eq", "Explain", "Ge", "Goto", "Gt", "Halt", "If", "IfNot", "IfPos", "Init", "IsNull",
    "Le", "Lt", "Ne", "Noop", "NotExists", "NotNull", "NullRow", "Once", "OpenRead", "ResultRow",
    "ReopenIdx", "SeekRowid", "Transaction",
  ]
}
