internal import WellspringPlatform

/// The rows that a program visits because of the value of a column, or that it passes over because
/// of another value.
extension ExplainedProgram {
  /// The values that a column has in each row that a loop does not pass over at once.
  struct Equality {
    enum Column {
      /// The first column of the index that an instruction opens, with the affinities that the
      /// program applies to the values.
      case first(opening: Instruction, applied: [ColumnAffinity])
      /// A column of what a cursor visits, with the collation of the comparison, and the affinity
      /// that it applies to both sides.
      case tested(cursor: Int64, number: Int64, collation: String, affinity: ColumnAffinity)
    }

    let column: Column
    let values: [Value]
  }

  /// Returns the values of the rows that a cursor visits, if each of its loops looks for parameters
  /// or constants; otherwise `nil`.
  ///
  /// Whatever else the statement says, no other row has an influence on its result.
  func equalities(ofCursor cursor: Int64) -> [Equality]? {
    // Addresses of a trigger's program are none of this one.
    guard !instructions.contains(where: { $0.opcode == "Program" }) else { return nil }
    let own = instructions.indices.filter { instructions[$0].p1 == cursor }
    var equalities: [Equality] = []
    var tops: Set<Int64> = []
    for address in own where Self.starts.contains(instructions[address].opcode) {
      if let (equality, top) = sought(by: address, own) ?? tested(after: address, own) {
        equalities.append(equality)
        tops.insert(Int64(top))
      } else {
        return nil
      }
    }
    guard !equalities.isEmpty else { return nil }
    for address in own {
      let instruction = instructions[address]
      if Self.steps.contains(instruction.opcode) {
        guard tops.contains(instruction.p2) else { return nil }
      } else {
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

  // MARK: A seek

  /// Returns the values of the first column of the entries that a seek in an index leads to.
  ///
  /// It moves the cursor to the first entry with a key, and on while the entry's first columns are
  /// those of the key:
  ///
  /// ```text
  /// SeekGE  cursor, end, key
  /// IdxGT   cursor, end, key
  /// …
  /// Next    cursor, address of IdxGT
  /// ```
  ///
  /// - Parameters:
  ///   - start: The address of the seek.
  ///   - own: The addresses of the cursor's instructions.
  /// - Returns: The values, and the address to which the loop returns.
  private func sought(by start: Int, _ own: [Int]) -> (Equality, top: Int)? {
    let key = instructions[start].p3
    guard Self.seeks.contains(instructions[start].opcode), let end = endOfScan(from: start),
      instructions[end].p3 == key, isSetOnlyBefore(start, register: key),
      let values = values(ofRegister: key, ignoresAffinity: true),
      let applied = affinities(appliedTo: key),
      let opening = own.last(where: { $0 < start && instructions[$0].opensTable })
    else { return nil }
    let column = Equality.Column.first(opening: instructions[opening], applied: applied)
    return (Equality(column: column, values: values), end)
  }

  /// Returns the affinities that instructions apply to a register; `nil` if one is unknown.
  ///
  /// For `t.a = u.b AND u.b = ?`, SQLite looks for the argument in `t.a`, as `u.b` converts it.
  private func affinities(appliedTo register: Int64) -> [ColumnAffinity]? {
    var affinities: [ColumnAffinity] = []
    for instruction in instructions
    where instruction.opcode == "Affinity" && instruction.mayWrite(register) {
      let letters = Array(instruction.affinities ?? "")
      let place = Int(register - instruction.p1)
      guard letters.indices.contains(place) else { return nil }
      switch letters[place] {
      case "A": affinities.append(.blob)
      case "B": affinities.append(.text)
      case "C", "D": affinities.append(.numeric)
      case "E": affinities.append(.real)
      default: return nil
      }
    }
    return affinities
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
    if Fault.isOn(.valueRange) { return true }
    // The program begins with a jump to that part.
    let constants = instructions.first.flatMap { $0.opcode == "Init" ? Int($0.p2) : nil }
    return instructions.indices.allSatisfy {
      !instructions[$0].mayWrite(register) || $0 < address || $0 >= constants ?? .max
    }
  }

  // MARK: A test

  /// Returns the values of a column that a loop compares before it does anything else with a row.
  ///
  /// ```text
  /// Rewind  cursor, end
  /// Column  cursor, number, register
  /// Ne      constant, address of Next, register
  /// …
  /// Next    cursor, address of Column
  /// ```
  ///
  /// - Parameters:
  ///   - start: The address of the instruction that moves the cursor to the first row.
  ///   - own: The addresses of the cursor's instructions.
  /// - Returns: The values, and the address to which the loop returns.
  private func tested(after start: Int, _ own: [Int]) -> (Equality, top: Int)? {
    guard start > 0, instructions[start - 1].opcode != "SeekScan",
      let next = own.first(where: { $0 > start && Self.steps.contains(instructions[$0].opcode) })
    else { return nil }
    let top = Int(instructions[next].p2)
    guard start < top, top < next,
      instructions[(start + 1)..<top].allSatisfy({ Self.loads.contains($0.opcode) })
    else { return nil }
    var test = RowTest(cursor: instructions[start].p1, next: Int64(next))
    for address in top..<next {
      switch test.read(instructions[address], in: self) {
      case .passesOn: continue
      case .found(let equality): return (equality, top)
      case .ends: return nil
      }
    }
    return nil
  }

  /// The instructions at the beginning of a loop, which load columns and compare them.
  private struct RowTest {
    enum Step {
      case passesOn
      case found(Equality)
      case ends
    }

    /// The address of the instruction that moves to the next row.
    let next: Int64
    /// The cursors on the row: that of the loop, and those that follow it.
    private var cursors: Set<Int64>
    /// The columns that registers hold.
    private var columns: [Int64: (cursor: Int64, number: Int64)] = [:]

    init(cursor: Int64, next: Int64) {
      self.next = next
      cursors = [cursor]
    }

    mutating func read(_ instruction: Instruction, in program: ExplainedProgram) -> Step {
      switch instruction.opcode {
      case "DeferredSeek":
        guard cursors.contains(instruction.p1) else { return .ends }
        cursors.insert(instruction.p3)
      case "Column":
        columns[instruction.p3] =
          cursors.contains(instruction.p1) ? (instruction.p1, instruction.p2) : nil
      case "IdxRowid", "Rowid": columns[instruction.p2] = nil
      case "RealAffinity", "IdxGE", "IdxGT", "IdxLE", "IdxLT": break
      case "IsNull", "NotNull", "Lt", "Le", "Gt", "Ge":
        guard instruction.p2 == next else { return .ends }
      case "Eq": guard instruction.p2 == next else { return .ends }
      case "Ne":
        guard instruction.p2 == next else { return .ends }
        guard let (register, values) = comparison(instruction, program),
          let column = columns[register], let affinity = instruction.comparedAffinity,
          let collation = instruction.collation
        else { return .passesOn }
        return .found(
          Equality(
            column: .tested(
              cursor: column.cursor,
              number: column.number,
              collation: collation,
              affinity: affinity
            ),
            values: values
          )
        )
      // Even a load may have an effect: it notes that an outer join has found a row.
      default: return .ends
      }
      return .passesOn
    }

    /// Returns the register of the column, and the values with which it is compared.
    private func comparison(
      _ instruction: Instruction,
      _ program: ExplainedProgram
    ) -> (register: Int64, values: [Value])? {
      for (register, other) in [(instruction.p3, instruction.p1), (instruction.p1, instruction.p3)]
      where columns[register] != nil && columns[other] == nil {
        return program.values(ofRegister: other).map { (register, $0) }
      }
      return nil
    }
  }

  // MARK: Instructions

  /// Instructions that move a cursor to the first row or entry of a loop.
  private static let starts: Set<String> = seeks.union(["Last", "Rewind"])

  /// Instructions that move a cursor to the first entry of a range.
  private static let seeks: Set<String> = ["SeekGE", "SeekGT", "SeekLE", "SeekLT"]

  /// Instructions that move a cursor to the next row or entry.
  private static let steps: Set<String> = ["Next", "Prev"]

  /// Instructions that end a scan behind the last entry of a range.
  private static let ends: Set<String> = ["IdxGE", "IdxGT", "IdxLE", "IdxLT"]

  /// Instructions that read the row of a cursor, leave its loop, or open or close it.
  private static let reads: Set<String> = ends.union([
    "Close", "Column", "ColumnsUsed", "CursorHint", "CursorLock", "CursorUnlock", "DeferredSeek",
    "FinishSeek", "IdxRowid", "IfNullRow", "NullRow", "OpenRead", "OpenWrite", "ReopenIdx", "Rowid",
    "SeekHit",
  ])

  /// Instructions that load a register, or leave the loop.
  private static let loads: Set<String> = [
    "Affinity", "Blob", "Copy", "Int64", "Integer", "IsNull", "Null", "Real", "SCopy", "String8",
    "Variable",
  ]
}

extension ExplainedProgram.Instruction {
  /// The affinity that a comparison for equality applies to both sides, if it excludes rows with
  /// NULL, or compares NULL as a value; otherwise `nil`.
  fileprivate var comparedAffinity: ColumnAffinity? {
    guard let flags, flags & (0x10 | 0x80) != 0 else { return nil }
    // The codes of the affinities are letters from A, for BLOB, to E, for REAL.
    switch flags & 0x47 {
    case 0x42: return .text
    case 0x43, 0x44: return .numeric
    case 0x45: return .real
    case 0x40, 0x41, 0: return .blob
    default: return nil
    }
  }
}
