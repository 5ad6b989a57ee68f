internal import WellspringSystem

/// The rows that a program visits because of the values of a column, or that it passes over because
/// of other values.
extension ExplainedProgram {
  /// The values that a column has in each row that a loop does not pass over at once.
  struct Condition {
    enum Column {
      /// The first column of the index that an instruction opens, with the affinities that the
      /// program applies to the values.
      case first(opening: Instruction, applied: [ColumnAffinity])
      /// The row id of the table that a cursor visits.
      case rowID
      /// A column of the rows that a cursor visits, with the collation of the comparison, and the
      /// affinities that it applies to both sides.
      case tested(cursor: Int64, number: Int64, collation: String, affinity: ColumnAffinity)
    }

    enum Wanted {
      case values([Value])
      /// The values between two bounds: those of an index are in its order, which may descend.
      case range(lower: Bound?, upper: Bound?)
    }

    /// A bound of a range.
    struct Bound {
      let value: Value
      /// Whether the value itself is in the range.
      let isIncluded: Bool
    }

    let column: Column
    var wanted: Wanted
  }

  /// Instructions that visit rows one after the other.
  struct Loop {
    /// The address of the instruction that moves the cursor to the first row.
    let start: Int
    /// The address to which the loop returns for each further row.
    let top: Int
    /// The address of the instruction that moves the cursor on; `nil` if it visits one row.
    let next: Int?
  }

  /// Returns the values of the rows that a cursor visits, if each of its loops looks for parameters
  /// or constants; otherwise `nil`.
  ///
  /// Whatever else the statement says, no other row has an influence on its result.
  func conditions(ofCursor cursor: Int64) -> [Condition]? {
    // Addresses of a trigger's program are not addresses of this program.
    guard !instructions.contains(where: { $0.opcode == "Program" }) else { return nil }
    let own = instructions.indices.filter { instructions[$0].p1 == cursor }
    var conditions: [Condition] = []
    var tops: Set<Int64> = []
    for address in own where Self.starts.contains(instructions[address].opcode) {
      guard let loop = loop(from: address, own), let condition = condition(of: loop, own) else {
        return nil
      }
      conditions.append(condition)
      tops.insert(Int64(loop.top))
    }
    for address in own where Self.lookups.contains(instructions[address].opcode) {
      guard let condition = soughtRows(ofLookup: address) ?? testedCondition(ofLookup: address)
      else { return nil }
      conditions.append(condition)
    }
    guard !conditions.isEmpty else { return nil }
    for address in own {
      let instruction = instructions[address]
      if Self.steps.contains(instruction.opcode) {
        guard tops.contains(instruction.p2) else { return nil }
      } else {
        guard
          Self.starts.contains(instruction.opcode) || Self.lookups.contains(instruction.opcode)
            || Self.reads.contains(instruction.opcode)
            || Self.usesNoCursor.contains(instruction.opcode)
        else { return nil }
      }
    }
    return conditions
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

  /// Returns the ids of the rows that an instruction can look up, if all are parameters or
  /// constants; otherwise `nil`.
  private func soughtRows(ofLookup address: Int) -> Condition? {
    rowIDs(ofRegister: instructions[address].p3)
      .map { Condition(column: .rowID, wanted: .values($0)) }
  }

  // MARK: A loop

  /// Returns the loop that an instruction begins.
  private func loop(from start: Int, _ own: [Int]) -> Loop? {
    // `SeekScan` may move the cursor itself.
    guard start > 0, instructions[start - 1].opcode != "SeekScan" else { return nil }
    let next = own.first { $0 > start && Self.steps.contains(instructions[$0].opcode) }
    if Self.seeks.contains(instructions[start].opcode), let end = endOfScan(from: start) {
      return Loop(start: start, top: end, next: next)
    }
    guard let next else { return nil }
    let top = Int(instructions[next].p2)
    guard start < top, top < next,
      instructions[(start + 1)..<top].allSatisfy({ Self.loads.contains($0.opcode) })
    else { return nil }
    return Loop(start: start, top: top, next: next)
  }

  /// Returns the address of the instruction that ends a scan, if it comes next, after the
  /// instructions that load its key.
  private func endOfScan(from start: Int) -> Int? {
    let cursor = instructions[start].p1
    for address in instructions.indices[(start + 1)...] {
      let instruction = instructions[address]
      if Self.ends.contains(instruction.opcode) {
        return instruction.p1 == cursor ? address : nil
      }
      guard Self.loads.contains(instruction.opcode) else { return nil }
    }
    return nil
  }

  /// Returns the condition of all rows that a loop does not skip.
  ///
  /// A value excludes more rows than a range.
  private func condition(of loop: Loop, _ own: [Int]) -> Condition? {
    if let sought = soughtValues(of: loop, own) { return sought }
    let tested = testedCondition(of: loop)
    if case .values? = tested?.wanted { return tested }
    guard let sought = soughtRange(of: loop, own) else { return tested }
    guard let tested, !sought.hasBothBounds, tested.hasBothBounds else { return sought }
    return tested
  }

  // MARK: A seek

  /// Returns the values of the first column of the entries that a seek in an index leads to.
  ///
  /// It moves the cursor to the first entry with a key, and further while the entry's first columns
  /// equal the key:
  ///
  /// ```text
  /// SeekGE  cursor, end, key
  /// IdxGT   cursor, end, key
  /// …
  /// Next    cursor, address of IdxGT
  /// ```
  private func soughtValues(of loop: Loop, _ own: [Int]) -> Condition? {
    let key = instructions[loop.start].p3
    guard Self.seeks.contains(instructions[loop.start].opcode),
      Self.ends.contains(instructions[loop.top].opcode), instructions[loop.top].p3 == key,
      isSetOnlyBefore(loop.start, register: key),
      let values = values(ofRegister: key, ignoresAffinity: true),
      let applied = affinities(appliedTo: key), let opening = opening(before: loop.start, own)
    else { return nil }
    return Condition(column: .first(opening: opening, applied: applied), wanted: .values(values))
  }

  /// Returns the bounds of the entries' first column, or of the row ids, that a seek leads to.
  ///
  /// ```text
  /// SeekGE  cursor, end, lower bound
  /// IdxGT   cursor, end, upper bound
  /// …
  /// Next    cursor, address of IdxGT
  /// ```
  ///
  /// For row ids, the instruction after `SeekGE` is `Rowid`, and a comparison ends the loop.
  private func soughtRange(of loop: Loop, _ own: [Int]) -> Condition? {
    guard let next = loop.next else { return nil }
    let start = instructions[loop.start]
    let isForward = instructions[next].opcode == "Next"
    let isIndex = start.keyCount != nil || Self.ends.contains(instructions[loop.top].opcode)
    var applied: [ColumnAffinity] = []
    func bound(_ register: Int64, at address: Int, isIncluded: Bool) -> Condition.Bound? {
      guard let found = value(ofRegister: register, at: address, in: loop) else { return nil }
      applied += found.applied
      return Condition.Bound(value: found.value, isIncluded: isIncluded)
    }
    var first: Condition.Bound?
    switch start.opcode {
    case "SeekGE" where isForward, "SeekLE" where !isForward:
      first = bound(start.p3, at: loop.start, isIncluded: true)
    case "SeekGT" where isForward, "SeekLT" where !isForward:
      // Of several columns, the first one may be equal.
      first = bound(start.p3, at: loop.start, isIncluded: start.keyCount.map { $0 > 1 } ?? false)
    default: break
    }
    let last: Condition.Bound?
    let end = instructions[loop.top]
    switch end.opcode {
    case "IdxGT" where isForward, "IdxLT" where !isForward:
      last = bound(end.p3, at: loop.top, isIncluded: !Fault.isOn(.valueBound))
    case "IdxGE" where isForward, "IdxLE" where !isForward:
      last = bound(end.p3, at: loop.top, isIncluded: end.keyCount.map { $0 > 1 } ?? true)
    case "Rowid" where !isIndex:
      let comparison = instructions[loop.top + 1]
      guard comparison.p2 == start.p2, comparison.p3 == end.p2 else {
        last = nil
        break
      }
      switch comparison.opcode {
      case "Gt" where isForward, "Lt" where !isForward:
        last = bound(comparison.p1, at: loop.top + 1, isIncluded: true)
      case "Ge" where isForward, "Le" where !isForward:
        last = bound(comparison.p1, at: loop.top + 1, isIncluded: false)
      default: last = nil
      }
    default: last = nil
    }
    let wanted = Condition.Wanted.range(
      lower: isForward ? first : last,
      upper: isForward ? last : first
    )
    guard first != nil || last != nil else { return nil }
    guard isIndex else { return Condition(column: .rowID, wanted: wanted) }
    guard let opening = opening(before: loop.start, own) else { return nil }
    return Condition(column: .first(opening: opening, applied: applied), wanted: wanted)
  }

  /// Returns the instruction that has opened a cursor.
  private func opening(before address: Int, _ own: [Int]) -> Instruction? {
    own.last { $0 < address && instructions[$0].opensTable }.map { instructions[$0] }
  }

  /// Returns the affinities that instructions apply to a register; `nil` if one is unknown.
  ///
  /// For `t.a = u.b AND u.b = ?`, SQLite looks for the argument in `t.a`, as `u.b` converts it.
  private func affinities(appliedTo register: Int64) -> [ColumnAffinity]? {
    var affinities: [ColumnAffinity] = []
    for instruction in instructions
    where instruction.opcode == "Affinity" && instruction.mayWrite(register) {
      guard let affinity = instruction.affinity(appliedTo: register) else { return nil }
      affinities.append(affinity)
    }
    return affinities
  }

  /// Returns whether a register has the same value from an instruction on, until that runs again:
  /// the instructions that write it come before, or in the part of the program that sets constants
  /// first.
  private func isSetOnlyBefore(_ address: Int, register: Int64) -> Bool {
    if Fault.isOn(.valueRange) { return true }
    return instructions.indices.allSatisfy {
      !instructions[$0].mayWrite(register) || $0 < address || $0 >= constants
    }
  }

  /// The address of the part of the program that sets constants first.
  private var constants: Int {
    // The program begins with a jump to that part.
    instructions.first.flatMap { $0.opcode == "Init" ? Int($0.p2) : nil } ?? .max
  }

  /// Returns the one value that a register has each time an instruction of a loop runs, if it is a
  /// parameter or a constant, and the affinities that have been applied to it.
  ///
  /// All instructions that write the register must belong to the straight sequence before the
  /// loop's top, or to the instructions that set constants.
  private func value(
    ofRegister register: Int64,
    at address: Int,
    in loop: Loop
  ) -> (value: Value, applied: [ColumnAffinity])? {
    let writers = instructions.indices.filter { instructions[$0].mayWrite(register) }
    if !writers.contains(where: { $0 < constants }) {
      let sources = writers.filter { instructions[$0].opcode != "Affinity" }
      guard sources.count == 1, let value = instructions[sources[0]].constant,
        let applied = affinities(appliedTo: register)
      else { return nil }
      return (value, applied)
    }
    let first = beginning(of: loop)
    guard writers.allSatisfy({ (first..<loop.top).contains($0) }) else { return nil }
    var applied: [ColumnAffinity] = []
    for writer in writers.reversed() where writer < address {
      if instructions[writer].opcode == "Affinity" {
        guard let affinity = instructions[writer].affinity(appliedTo: register) else { return nil }
        applied.append(affinity)
      } else {
        return instructions[writer].constant.map { ($0, applied) }
      }
    }
    return nil
  }

  /// Returns the address of the first of the instructions before a loop that run one after the
  /// other: nothing jumps to a later one.
  private func beginning(of loop: Loop) -> Int {
    let targets = jumpTargets
    var first = loop.top
    while first > 0 {
      let before = instructions[first - 1]
      guard first == loop.top || !targets.contains(Int64(first)),
        Self.continues.contains(before.opcode)
      else { return first }
      first -= 1
    }
    return first
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

  /// Instructions after which the next one runs, or none before the loop ends.
  private static let continues = loads.union(starts).union([
    "Noop", "Explain", "OpenRead", "ReopenIdx",
  ])
}

extension ExplainedProgram.Condition.Wanted {
  /// The same values in the opposite order.
  var reversed: Self {
    guard case .range(let lower, let upper) = self else { return self }
    return .range(lower: upper, upper: lower)
  }
}

extension ExplainedProgram.Condition {
  fileprivate var hasBothBounds: Bool {
    if case .range(_?, _?) = wanted { return true }
    return false
  }
}
