extension ExplainedProgram.Value {
  var isText: Bool {
    if case .text = self { return true }
    return false
  }
}

extension ExplainedProgram.Instruction {
  /// The value that the instruction writes, if it is a parameter or a constant.
  var constant: ExplainedProgram.Value? {
    switch opcode {
    case "Variable": .parameter(Int32(p1))
    case "Integer": .integer(p1)
    case "Int64": p4.map { .integer($0) }
    case "String8": text.map { .text($0) }
    case "Null", "BeginSubrtn": .null
    default: nil
    }
  }

  /// Returns whether the instruction may write a register. Where it is not known what an
  /// instruction writes, it may write the registers P2 and P3.
  func mayWrite(_ register: Int64) -> Bool {
    switch opcode {
    case "Variable", "Integer", "Int64", "Real", "Rowid", "String8": register == p2
    case "Column", "MakeRecord", "OpenEphemeral", "VColumn": register == p3
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

  /// Whether P2 of the instruction is known to be no address of a jump.
  var isKnownNotToJump: Bool { Self.neverJumps.contains(opcode) }

  /// Instructions that write no register.
  private static let writesNothing: Set<String> = [
    "Close", "DeferredSeek", "Eq", "Explain", "Found", "Ge", "Goto", "Gt", "Halt", "IdxGE", "IdxGT",
    "IdxInsert", "IdxLE", "IdxLT", "If", "IfNot", "Init", "IsNull", "Last", "Le", "Lt", "Ne",
    "Next", "Noop", "NotExists", "NotFound", "NotNull",
    "NullRow", "Once", "OpenPseudo", "OpenRead", "Prev", "ResultRow", "ReopenIdx", "Return",
    "Rewind", "RowSetTest", "SeekGE", "SeekGT", "SeekLE", "SeekLT", "SeekRowid", "SorterInsert",
    "SorterNext", "SorterOpen", "SorterSort", "Transaction",
  ]

  /// Instructions whose P2 is a register, a cursor or a number.
  private static let neverJumps: Set<String> = [
    "Add", "AddImm", "Affinity", "AggFinal", "AggStep", "AggValue", "And", "BeginSubrtn", "BitAnd",
    "BitNot", "BitOr", "Cast", "Close", "CollSeq", "Column", "Concat", "Copy", "Count",
    "DeferredSeek", "Delete", "Divide", "Explain", "Function", "Halt", "IdxInsert", "IdxRowid",
    "Int64", "Integer", "IsTrue", "MakeRecord", "Move", "Multiply", "Noop", "Not", "Null",
    "NullRow", "OpenEphemeral", "OpenPseudo", "OpenRead", "Or", "PureFunc", "Real", "RealAffinity",
    "Remainder", "ReopenIdx", "ResultRow", "RowData", "Rowid", "SCopy", "Sequence", "ShiftLeft",
    "ShiftRight", "SorterData", "SorterInsert", "SorterOpen", "String8", "Subtract", "Transaction",
    "Variable",
  ]
}
