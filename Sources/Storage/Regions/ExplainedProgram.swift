/// The instructions that SQLite has compiled a statement to. https://www.sqlite.org/opcode.html
struct Program {
  struct Instruction {
    let opcode: String
    let p1: Int64
    let p2: Int64
    let p3: Int64

    /// Whether a cursor is opened on a b-tree of the database.
    var opensTable: Bool { opcode == "OpenRead" || opcode == "OpenWrite" || opcode == "ReopenIdx" }
  }

  /// Where the content of a register comes from.
  enum Value {
    /// The parameter of this index.
    case parameter(Int32)
    case integer(Int64)
  }

  let instructions: [Instruction]

  init(explaining sql: String, _ db: Database) throws {
    // Compiled for this once: the text differs for each statement.
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

  /// The row ids at which a table's cursor looks, when it looks at single rows only whose ids are
  /// parameters or constants; otherwise `nil`.
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

  /// The value of a register that one instruction only can have written.
  private func value(ofRegister register: Int64) -> Value? {
    var value: Value?
    for instruction in instructions {
      if Self.writesNothing.contains(instruction.opcode) { continue }
      // All other instructions may write what P2 or P3 name; some of them write several registers.
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

  /// Move a table's cursor to the row of one id.
  private static let lookups: Set<String> = ["SeekRowid", "NotExists"]

  /// Move a table's cursor over several rows.
  private static let scans: Set<String> = [
    "Rewind", "Last", "Sort", "SorterSort", "Next", "Prev", "SeekGE", "SeekGT", "SeekLE", "SeekLT",
    "SeekScan", "Count", "RowData", "Found", "NotFound", "IfNotOpen", "OpenDup",
  ]

  /// Write no register.
  private static let writesNothing: Set<String> = [
    "Close", "Eq", "Explain", "Ge", "Goto", "Gt", "Halt", "If", "IfNot", "IfPos", "Init", "IsNull",
    "Le", "Lt", "Ne", "Noop", "NotExists", "NotNull", "NullRow", "Once", "OpenRead", "ResultRow",
    "ReopenIdx", "SeekRowid", "Transaction",
  ]
}
