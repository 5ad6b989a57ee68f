/// The entries of an index that a program visits because of the values of the first column.
extension ExplainedProgram {
  /// The values that the first column has in each entry of an index that a scan visits.
  struct Equality {
    /// The instruction that opens the index. A cursor may visit several indexes in turn.
    let opening: Instruction
    let values: [Value]
  }

  /// Returns the values that the first column has in each entry that a cursor of indexes visits, if
  /// all are parameters or constants; otherwise `nil`.
  ///
  /// Such a program moves the cursor to the first entry with a key, and on while the entry's first
  /// columns are those of the key:
  ///
  ///     SeekGE  cursor, end, key
  ///     IdxGT   cursor, end, key
  ///     …
  ///     Next    cursor, address of IdxGT
  ///
  /// Whatever else the statement says, no other entry has an influence on its result.
  func equalities(ofIndexCursor cursor: Int64) -> [Equality]? {
    let own = instructions.indices.filter { instructions[$0].p1 == cursor }
    // Addresses of a trigger's program are none of this one.
    guard !instructions.contains(where: { $0.opcode == "Program" }) else { return nil }
    var equalities: [Equality] = []
    var ends: Set<Int64> = []
    for address in own where Self.starts.contains(instructions[address].opcode) {
      let key = instructions[address].p3
      guard let end = endOfScan(from: address), instructions[end].p3 == key,
        isSetOnlyBefore(address, register: key),
        let values = values(ofRegister: key, ignoresAffinity: true),
        let opening = own.last(where: { $0 < address && instructions[$0].opensTable })
      else { return nil }
      equalities.append(Equality(opening: instructions[opening], values: values))
      ends.insert(Int64(end))
    }
    guard !equalities.isEmpty else { return nil }
    for address in own {
      let instruction = instructions[address]
      switch instruction.opcode {
      case "Next", "Prev": guard ends.contains(instruction.p2) else { return nil }
      case "IdxGT", "IdxGE", "IdxLT", "IdxLE":
        guard ends.contains(Int64(address)) else { return nil }
      default:
        guard
          Self.starts.contains(instruction.opcode) || Self.reads.contains(instruction.opcode)
            || Self.usesNoCursor.contains(instruction.opcode)
        else { return nil }
      }
    }
    return equalities
  }

  /// Returns whether a cursor of a table only moves to the rows that cursors of indexes visit.
  func follows(_ cursor: Int64, indexes: Set<Int64>) -> Bool {
    instructions.allSatisfy { instruction in
      if instruction.opcode == "DeferredSeek", instruction.p3 == cursor {
        return indexes.contains(instruction.p1)
      }
      guard instruction.p1 == cursor else { return true }
      if Self.lookups.contains(instruction.opcode) {
        let writers = instructions.filter { $0.mayWrite(instruction.p3) }
        return !writers.isEmpty
          && writers.allSatisfy { $0.opcode == "IdxRowid" && indexes.contains($0.p1) }
      }
      return Self.reads.contains(instruction.opcode)
        || Self.usesNoCursor.contains(instruction.opcode)
    }
  }

  /// Returns the address of the instruction that ends a scan, if it comes next, after those that
  /// load its key.
  private func endOfScan(from start: Int) -> Int? {
    let cursor = instructions[start].p1
    // It may move the cursor itself.
    guard start > 0, instructions[start - 1].opcode != "SeekScan" else { return nil }
    for address in instructions.indices[(start + 1)...] {
      let instruction = instructions[address]
      if Self.ends.contains(instruction.opcode) {
        return instruction.p1 == cursor ? address : nil
      }
      guard Self.loads.contains(instruction.opcode) else { return nil }
    }
    return nil
  }

  /// Returns whether a register has the same value from an instruction on, until that runs again:
  /// what writes it comes before, or in the part of the program that sets constants first.
  private func isSetOnlyBefore(_ address: Int, register: Int64) -> Bool {
    // The program begins with a jump to that part.
    let constants = instructions.first.flatMap { $0.opcode == "Init" ? Int($0.p2) : nil }
    return instructions.indices.allSatisfy {
      !instructions[$0].mayWrite(register) || $0 < address || $0 >= constants ?? .max
    }
  }

  /// Instructions that move a cursor to the first entry of a range.
  private static let starts: Set<String> = ["SeekGE", "SeekGT", "SeekLE", "SeekLT"]

  /// Instructions that end a scan behind the last entry of a range.
  private static let ends: Set<String> = ["IdxGE", "IdxGT", "IdxLE", "IdxLT"]

  /// Instructions that read the entry of a cursor, or that open or close it.
  private static let reads: Set<String> = [
    "Close", "Column", "ColumnsUsed", "CursorHint", "CursorLock", "CursorUnlock", "DeferredSeek",
    "FinishSeek", "IdxRowid", "NullRow", "OpenRead", "OpenWrite", "ReopenIdx", "Rowid", "SeekHit",
    "IfNullRow",
  ]

  /// Instructions that load a register, or leave the scan.
  private static let loads: Set<String> = [
    "Affinity", "Blob", "Copy", "Int64", "Integer", "IsNull", "Null", "Real", "SCopy", "String8",
    "Variable",
  ]
}
