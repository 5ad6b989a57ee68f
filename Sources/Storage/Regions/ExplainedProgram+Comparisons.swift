internal import WellspringSystem

/// The first comparisons of a loop, before it does anything else with a row.
extension ExplainedProgram {
  /// Returns the values of a column that a loop compares before it does anything else with a row.
  ///
  /// ```text
  /// Rewind  cursor, end
  /// Column  cursor, number, register
  /// Ne      constant, address of Next, register
  /// …
  /// Next    cursor, address of Column
  /// ```
  func testedCondition(of loop: Loop) -> Condition? {
    guard let next = loop.next else { return nil }
    return condition(testedFrom: loop.top, before: next, cursor: instructions[loop.start].p1)
  }

  /// Returns the values of a column of a single row that is looked up, if the program compares them
  /// first, and continues as if the row did not exist when it has other values.
  ///
  /// ```text
  /// SeekRowid  cursor, elsewhere, row id
  /// Column     cursor, number, register
  /// Ne         constant, elsewhere, register
  /// ```
  func testedCondition(ofLookup address: Int) -> Condition? {
    let lookup = instructions[address]
    let end = Int(lookup.p2)
    guard Self.lookups.contains(lookup.opcode), address < end, end < instructions.count else {
      return nil
    }
    return condition(testedFrom: address + 1, before: end, cursor: lookup.p1)
  }

  private func condition(testedFrom start: Int, before next: Int, cursor: Int64) -> Condition? {
    var test = RowTest(cursor: cursor, next: Int64(next))
    var address = start
    while address < next {
      guard let following = test.read(address, in: self) else { break }
      address = following
    }
    return test.condition
  }
}

/// The instructions at the beginning of a loop, which load columns and compare them.
private struct RowTest {
  private typealias Condition = ExplainedProgram.Condition

  /// A column that a register holds.
  private struct Loaded: Equatable {
    let cursor: Int64
    /// The number of the column; `nil` for the row id.
    let number: Int64?
  }

  /// The range of a column so far.
  private struct Range {
    let loaded: Loaded
    let collation: String
    let affinity: ColumnAffinity
    var lower: Condition.Bound?
    var upper: Condition.Bound?
  }

  /// The address of the instruction that moves to the next row, or where the program continues
  /// without one.
  let next: Int64
  /// The cursors on the row: the cursor of the loop, and the cursors that follow it.
  private var cursors: Set<Int64>
  /// The columns that registers hold.
  private var columns: [Int64: Loaded] = [:]
  /// The affinities that are applied to registers after they are loaded.
  private var applied: [Int64: ColumnAffinity] = [:]
  /// The registers with the return addresses of subroutines that are passed through.
  private var returns: Set<Int64> = []
  private var equality: Condition?
  private var ranges: [Range] = []

  init(cursor: Int64, next: Int64) {
    self.next = next
    cursors = [cursor]
  }

  /// The condition that excludes the most rows.
  var condition: ExplainedProgram.Condition? {
    if let equality { return equality }
    guard let range = ranges.first(where: { $0.lower != nil && $0.upper != nil }) ?? ranges.first
    else { return nil }
    // NULL meets no comparison.
    let lower = range.lower ?? Condition.Bound(value: .null, isIncluded: false)
    return Self.condition(
      range.loaded,
      range.collation,
      range.affinity,
      .range(lower: lower, upper: range.upper)
    )
  }

  private static func condition(
    _ loaded: Loaded,
    _ collation: String,
    _ affinity: ColumnAffinity,
    _ wanted: Condition.Wanted
  ) -> Condition {
    let column: Condition.Column =
      if let number = loaded.number {
        .tested(cursor: loaded.cursor, number: number, collation: collation, affinity: affinity)
      } else {
        .rowID
      }
    return Condition(column: column, wanted: wanted)
  }

  /// Reads an instruction.
  ///
  /// - Returns: The address of the next one to read; `nil` if this one may do something with a row.
  mutating func read(_ address: Int, in program: ExplainedProgram) -> Int? {
    let instruction = program.instructions[address]
    switch instruction.opcode {
    case "DeferredSeek":
      guard cursors.contains(instruction.p1) else { return nil }
      cursors.insert(instruction.p3)
    case "Column": load(instruction, into: instruction.p3)
    case "IdxRowid", "Rowid": load(instruction, into: instruction.p2)
    case "Variable", "String8", "Real": columns[instruction.p2] = nil
    case "Affinity":
      for register in instruction.p1..<instruction.p1 + max(instruction.p2, 1) {
        let affinity = instruction.affinity(appliedTo: register)
        if affinity == nil || applied[register] != nil { columns[register] = nil }
        applied[register] = affinity
      }
    case "RealAffinity", "IdxGE", "IdxGT", "IdxLE", "IdxLT": break
    case "IsNull", "If", "IfNot": guard instruction.p2 == next else { return nil }
    case "NotNull":
      guard instruction.p2 == next else { return nil }
      if equality == nil, let loaded = columns[instruction.p1] {
        equality = Self.condition(loaded, "BINARY", .blob, .values([.null]))
      }
    case "Eq" where instruction.p2 != next: return readList(address, in: program)
    case "Eq": break
    case "Ne":
      guard instruction.p2 == next else { return nil }
      if let (register, values) = comparison(instruction, program) {
        found(register, instruction, .values(values))
      }
    case "Lt", "Le", "Gt", "Ge":
      guard instruction.p2 == next else { return nil }
      readRange(instruction, program)
    case "NotFound":
      guard instruction.p2 == next else { return nil }
      readLookup(instruction, program)
    case "BeginSubrtn": returns.insert(instruction.p2)
    case "Return": guard returns.contains(instruction.p1) else { return nil }
    case "Once": return program.endOfList(from: address)
    // Even the load of an integer may have an effect: it notes that an outer join has found a row.
    default: return nil
    }
    return address + 1
  }

  private mutating func load(_ instruction: ExplainedProgram.Instruction, into register: Int64) {
    applied[register] = nil
    columns[register] =
      cursors.contains(instruction.p1) ? Self.load(instruction, into: register) : nil
  }

  /// Returns the column that an instruction loads into a register; `nil` if it does something else.
  private static func load(
    _ instruction: ExplainedProgram.Instruction,
    into register: Int64
  ) -> Loaded? {
    switch instruction.opcode {
    case "Column" where instruction.p3 == register:
      Loaded(cursor: instruction.p1, number: instruction.p2)
    case "IdxRowid" where instruction.p2 == register, "Rowid" where instruction.p2 == register:
      Loaded(cursor: instruction.p1, number: nil)
    default: nil
    }
  }

  /// Reads `column IN (a, b)`: an `Eq` for each element but the last one, which jump behind the
  /// `Ne` for that. The column may be loaded again between them.
  private mutating func readList(_ start: Int, in program: ExplainedProgram) -> Int? {
    let end = Int(program.instructions[start].p2)
    guard start < end, end <= Int(next), !program.isJumpedInto(start + 1..<end) else { return nil }
    let last = program.instructions[end - 1]
    var values: [ExplainedProgram.Value] = []
    var column: Int64?
    for address in start..<end {
      let instruction = program.instructions[address]
      if let column, let loaded = columns[column],
        Self.load(instruction, into: column) == loaded
      {
        continue
      }
      let isLast = address == end - 1
      guard instruction.opcode == (isLast ? "Ne" : "Eq"),
        instruction.p2 == (isLast ? next : Int64(end)),
        let (register, some) = comparison(instruction, program),
        column == nil || column == register,
        instruction.comparesLike(last) || Fault.isOn(.valueList),
        isLast || !instruction.jumpsForNull || Fault.isOn(.valueListNull)
      else { return nil }
      column = register
      values += some
    }
    if let column { found(column, last, .values(values)) }
    return end
  }

  /// Reads the look-up of a column in the list of an `IN` operator.
  private mutating func readLookup(
    _ instruction: ExplainedProgram.Instruction,
    _ program: ExplainedProgram
  ) {
    guard equality == nil, instruction.keyCount == 1, let loaded = columns[instruction.p3],
      let collation = program.collation(ofList: instruction.p1),
      let values = program.elements(ofList: instruction.p1)
    else { return }
    equality = Self.condition(
      loaded,
      collation,
      applied[instruction.p3] ?? .blob,
      .values(values)
    )
  }

  private mutating func readRange(
    _ instruction: ExplainedProgram.Instruction,
    _ program: ExplainedProgram
  ) {
    guard
      let (register, values) = comparison(instruction, program), values.count == 1,
      let loaded = columns[register], applied[register] == nil,
      let affinity = instruction.comparedAffinity, let collation = instruction.collation
    else { return }
    // The instruction compares P3 with P1, and jumps over the rows that it is named after.
    let isRight = register == instruction.p3
    let isUpper = (instruction.opcode == "Gt" || instruction.opcode == "Ge") == isRight
    let bound = Condition.Bound(
      value: values[0],
      isIncluded: instruction.opcode == "Lt" || instruction.opcode == "Gt"
    )
    let known = ranges.firstIndex {
      $0.loaded == loaded && $0.collation == collation && $0.affinity == affinity
    }
    var range =
      known.map { ranges[$0] } ?? Range(loaded: loaded, collation: collation, affinity: affinity)
    if isUpper { range.upper = range.upper ?? bound } else { range.lower = range.lower ?? bound }
    if let known { ranges[known] = range } else { ranges.append(range) }
  }

  private mutating func found(
    _ register: Int64,
    _ instruction: ExplainedProgram.Instruction,
    _ wanted: ExplainedProgram.Condition.Wanted
  ) {
    guard equality == nil, let loaded = columns[register], applied[register] == nil,
      let affinity = instruction.comparedAffinity, let collation = instruction.collation
    else { return }
    equality = Self.condition(loaded, collation, affinity, wanted)
  }

  /// Returns the register of the column, and the values with which it is compared.
  private func comparison(
    _ instruction: ExplainedProgram.Instruction,
    _ program: ExplainedProgram
  ) -> (register: Int64, values: [ExplainedProgram.Value])? {
    for (register, other) in [(instruction.p3, instruction.p1), (instruction.p1, instruction.p3)]
    where columns[register] != nil && columns[other] == nil {
      return program.values(ofRegister: other).map { (register, $0) }
    }
    return nil
  }
}

extension ExplainedProgram.Instruction {
  /// The affinity that a comparison applies to both sides, if it excludes rows with NULL, or
  /// compares NULL as a value; otherwise `nil`.
  fileprivate var comparedAffinity: ColumnAffinity? {
    guard let flags, flags & (0x10 | 0x80) != 0 || Fault.isOn(.valueNull) else { return nil }
    // The codes of the affinities are letters from A, for BLOB, to E, for REAL.
    switch flags & Self.affinityFlags {
    case 0x42: return .text
    case 0x43, 0x44: return .numeric
    case 0x45: return .real
    case 0x40, 0x41, 0: return .blob
    default: return nil
    }
  }

  /// Whether a comparison with NULL jumps.
  fileprivate var jumpsForNull: Bool { flags.map { $0 & 0x10 != 0 } ?? true }

  /// Returns whether another comparison has the same affinity and collation.
  fileprivate func comparesLike(_ other: Self) -> Bool {
    collation == other.collation
      && flags.map { $0 & Self.affinityFlags } == other.flags.map { $0 & Self.affinityFlags }
  }

  private static let affinityFlags: Int64 = 0x47
}
