extension ExplainedProgram.Value {
  /// Whether SQLite makes another number of the value if it looks for it among row ids: of a text
  /// such as `'5'`, and of a real number.
  var becomesRowID: Bool {
    switch self {
    case .real, .text: true
    case .parameter, .integer, .null: false
    }
  }
}

extension ExplainedProgram.Instruction {
  /// The value that the instruction writes, if it is a parameter or a constant.
  var constant: ExplainedProgram.Value? {
    switch opcode {
    case "Variable": .parameter(Int32(p1))
    case "Integer": .integer(p1)
    case "Int64": p4.map { .integer($0) }
    case "Real": real.map { .real($0) }
    // With P3, the text of a `LIKE` becomes a blob in a second pass.
    case "String8": p3 == 0 ? text.map { .text($0) } : nil
    case "Null", "BeginSubrtn": .null
    default: nil
    }
  }

  /// Returns whether the instruction may write a register. An unknown instruction may write the
  /// registers P2 and P3.
  func mayWrite(_ register: Int64) -> Bool {
    switch opcode {
    case "BitNot", "Blob", "Count", "IdxRowid", "Int64", "Integer", "IsTrue", "Not", "Real",
      "RowData", "Rowid", "SCopy", "Sequence", "SorterData", "String8", "Variable", "ZeroOrNull":
      register == p2
    case "Add", "AggStep", "And", "BitAnd", "BitOr", "Column", "Concat", "Divide", "Function",
      "MakeRecord", "Multiply", "OpenEphemeral", "Or", "PureFunc", "Remainder", "ShiftLeft",
      "ShiftRight", "Subtract", "VColumn":
      register == p3
    case "Null", "BeginSubrtn": (p2...max(p2, p3)).contains(register)
    case "Copy": (p2...p2 + p3).contains(register)
    case "Move":
      (p1..<p1 + max(p3, 1)).contains(register) || (p2..<p2 + max(p3, 1)).contains(register)
    case "Affinity": (p1..<p1 + max(p2, 1)).contains(register)
    case "AddImm", "Cast", "CollSeq", "DecrJumpZero", "EndCoroutine", "Gosub", "IfNotZero", "IfPos",
      "InitCoroutine", "MemMax", "MustBeInt", "RealAffinity", "SoftNull", "Yield":
      register == p1
    case "AggFinal", "AggValue": [p1, p2, p3].contains(register)
    default: !Self.writesNothing.contains(opcode) && (register == p2 || register == p3)
    }
  }

  /// Returns the affinity that an `Affinity` applies to a register; `nil` if it is unknown.
  func affinity(appliedTo register: Int64) -> ColumnAffinity? {
    let letters = Array(affinities ?? "")
    let index = Int(register - p1)
    guard letters.indices.contains(index) else { return nil }
    return ColumnAffinity(letter: letters[index])
  }

  /// Whether P2 of the instruction is known to be no address of a jump.
  var isKnownNotToJump: Bool { Self.neverJumps.contains(opcode) }

  /// Instructions that write no register.
  private static let writesNothing: Set<String> = [
    "Close", "Compare", "DeferredSeek", "ElseEq", "Eq", "Explain", "Found", "Ge", "Goto", "Gt",
    "Halt", "IdxGE", "IdxGT", "IdxInsert", "IdxLE", "IdxLT", "If", "IfNot", "Init", "IsNull",
    "Jump", "Last", "Le", "Lt", "Ne", "Next", "Noop", "NotExists", "NotFound", "NotNull", "NullRow",
    "Once", "OpenPseudo", "OpenRead", "Permutation", "Prev", "ResultRow", "ReopenIdx", "Return",
    "Rewind", "RowSetTest", "SeekGE", "SeekGT", "SeekHit", "SeekLE", "SeekLT", "SeekRowid",
    "SorterCompare", "SorterInsert", "SorterNext", "SorterOpen", "SorterSort", "Transaction",
  ]

  /// Instructions whose P2 is a register, a cursor or a number.
  private static let neverJumps: Set<String> = [
    "Add", "AddImm", "Affinity", "AggFinal", "AggStep", "AggValue", "And", "BeginSubrtn", "BitAnd",
    "BitNot", "BitOr", "Cast", "Close", "CollSeq", "Column", "Compare", "Concat", "Copy", "Count",
    "DeferredSeek", "Delete", "Divide", "Explain", "Function", "Halt", "IdxInsert", "IdxRowid",
    "Int64", "Integer", "IsTrue", "MakeRecord", "Move", "Multiply", "Noop", "Not", "Null",
    "NullRow", "OpenEphemeral", "OpenPseudo", "OpenRead", "Or", "Permutation", "PureFunc", "Real",
    "RealAffinity", "Remainder", "ReopenIdx", "ResultRow", "RowData", "Rowid", "SCopy", "Sequence",
    "ShiftLeft", "ShiftRight", "SorterData", "SorterInsert", "SorterOpen", "String8", "Subtract",
    "Transaction", "Variable", "ZeroOrNull",
  ]
}
