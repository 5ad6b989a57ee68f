internal import WellspringPlatform

/// How the groups of a query are ordered: by the `ORDER BY`, then as the groups are found.
struct GroupOrder: Sendable {
  /// A term of the `GROUP BY`, in the order in which groups are found.
  struct Key: Hashable, Sendable {
    /// The index of the term.
    let index: Int
    let isDescending: Bool
  }

  let terms: [AggregateQuery.Term]
  /// How groups are ordered that are equal in all terms; `nil` if that is not known.
  let keys: [Key]?
  /// Whether SQLite compares the texts among the keys by their bytes.
  let comparesBytes: Bool

  /// Returns whether a group comes before another one; `nil` if that is not known.
  func isBefore(_ left: GroupSummary, _ right: GroupSummary) -> Bool? {
    for term in terms {
      let (first, second) = (left.value(of: term.column), right.value(of: term.column))
      if first == second { continue }
      switch (first, second) {
      case (.null, _): return term.isNullFirst
      case (_, .null): return !term.isNullFirst
      default:
        return isLess(first, second).map { $0 != term.isDescending }
      }
    }
    for key in keys ?? [] {
      let (first, second) = (left.key[key.index], right.key[key.index])
      if first == second { continue }
      let isDescending = key.isDescending != Fault.isOn(.patchGroupTie)
      return isLess(first, second).map { $0 != isDescending }
    }
    return nil
  }

  /// Returns whether a value comes before another one that differs; `nil` if that is not known.
  private func isLess(_ left: AggregateValue, _ right: AggregateValue) -> Bool? {
    switch (left, right) {
    case (.null, _): true
    case (_, .null): false
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.integer, .text): true
    case (.text, .integer): false
    case (.text(let left), .text(let right)):
      comparesBytes ? left.lexicographicallyPrecedes(right) : nil
    default: nil
    }
  }

  /// Whether a key is equal to those with the same bytes only.
  func isExact(_ key: [AggregateValue]) -> Bool {
    key.allSatisfy { value in
      switch value {
      case .null, .integer: true
      case .text: comparesBytes && value.databaseValue != nil
      case .real, .blob: false
      }
    }
  }
}

extension GroupOrder {
  /// Works out the order of a query's groups.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - program: Its program.
  ///   - comparesBytes: Whether SQLite compares the texts among the keys by their bytes.
  init(_ query: AggregateQuery, _ program: ExplainedProgram, comparesBytes: Bool) {
    terms = query.order
    self.comparesBytes = comparesBytes
    // A subquery may have a sorter of its own.
    keys = query.isDistinct || query.hasSubqueries ? nil : Self.keys(query.keyCount, program)
  }

  /// Finds out how a sorter orders the rows that are grouped: by the terms of the `GROUP BY`.
  private static func keys(_ count: Int, _ program: ExplainedProgram) -> [Key]? {
    let instructions = program.instructions
    // The groups are found in a loop over the sorter, which compares each row with the last one.
    guard let start = instructions.firstIndex(where: { $0.opcode == "SorterSort" }),
      let end = instructions[start...].firstIndex(where: {
        $0.opcode == "SorterNext" && $0.p1 == instructions[start].p1
      }),
      instructions[start..<end].contains(where: { $0.opcode == "Compare" }),
      let opening = instructions.first(where: {
        $0.opcode == "SorterOpen" && $0.p1 == instructions[start].p1
      }),
      // `k(2,-B,B)`: the number of the terms, and the collation of each. A sign says that the order
      // is descending.
      let text = opening.keyText, text.hasPrefix("k("), text.hasSuffix(")")
    else { return nil }
    let parts = text.dropFirst(2).dropLast().split(separator: ",", omittingEmptySubsequences: false)
    guard parts.first == "\(count)", parts.count == count + 1 else { return nil }
    var keys: [Key] = []
    for (index, part) in parts.dropFirst().enumerated() {
      guard part == "B" || part == "-B" else { return nil }
      keys.append(Key(index: index, isDescending: part == "-B"))
    }
    return keys
  }
}
