/// Rows by their numbers, in little memory: each row takes 12 bytes, and 4 or 8 for each argument.
struct PackedRows: Sendable {
  /// In ascending order.
  private(set) var numbers: [Int64] = []
  private var groups: [Int32] = []
  private var arguments: [PackedIntegers]

  init(argumentCount: Int) {
    arguments = Array(repeating: PackedIntegers(), count: argumentCount)
  }

  var count: Int { numbers.count }

  /// The bytes that the rows take.
  var memory: Int {
    let rows = numbers.capacity * 8 + groups.capacity * 4
    return rows + arguments.reduce(0) { $0 + $1.memory }
  }

  /// Appends a row behind all others, or anywhere before ``sort()``.
  mutating func append(_ number: Int64, _ row: GroupedRows.Row) {
    numbers.append(number)
    groups.append(row.group)
    for index in arguments.indices { arguments[index].append(row.arguments[index]) }
  }

  /// Puts the rows in order.
  mutating func sort() {
    guard zip(numbers, numbers.dropFirst()).contains(where: >=) else { return }
    let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    var sorted = PackedRows(argumentCount: arguments.count)
    for index in order { sorted.append(numbers[index], row(at: index)) }
    self = sorted
  }

  private func row(at index: Int) -> GroupedRows.Row {
    GroupedRows.Row(group: groups[index], arguments: arguments.map { $0[index] })
  }

  /// Returns the first index whose number is not less than a number.
  private func index(_ number: Int64) -> Int {
    var range = 0..<numbers.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      range =
        numbers[middle] < number
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }

  /// Returns the row with a number; `nil` for an unknown number.
  func row(_ number: Int64) -> GroupedRows.Row? {
    let index = index(number)
    return index < numbers.count && numbers[index] == number ? row(at: index) : nil
  }

  /// Calls a body for each row of some groups.
  func forEach(in wanted: Set<Int32>, _ body: (Int64, GroupedRows.Row) -> Void) {
    let single = wanted.count == 1 ? wanted.first : nil
    for index in groups.indices {
      let isWanted = single.map { $0 == groups[index] } ?? wanted.contains(groups[index])
      if isWanted { body(numbers[index], row(at: index)) }
    }
  }

  /// Returns the values of an argument that rows have.
  ///
  /// - Parameters:
  ///   - argument: The index of the argument.
  ///   - wanted: The values, in groups.
  ///   - touched: The numbers of rows that do not count.
  /// - Returns: The wanted values that another row of the group has.
  func values(
    of argument: Int,
    among wanted: Set<GroupValue>,
    without touched: Set<Int64>
  ) -> Set<GroupValue> {
    let column = arguments[argument]
    guard wanted.count > 4 else {
      // A value that other rows have is found soon.
      return wanted.filter { wanted in
        groups.indices.contains {
          groups[$0] == wanted.group && column[$0] == wanted.value
            && !touched.contains(numbers[$0])
        }
      }
    }
    var found: Set<GroupValue> = []
    for index in groups.indices {
      guard let value = column[index] else { continue }
      let candidate = GroupValue(group: groups[index], value: value)
      if wanted.contains(candidate), !touched.contains(numbers[index]) { found.insert(candidate) }
    }
    return found
  }

  /// Replaces rows.
  ///
  /// - Parameters:
  ///   - touched: The numbers of the rows that are replaced, or go.
  ///   - present: The rows that exist afterwards.
  mutating func replace(_ touched: Set<Int64>, with present: [Int64: GroupedRows.Row]) {
    var coming: [Int64] = []
    var going: Set<Int64> = []
    for number in touched {
      let index = index(number)
      let isKnown = index < numbers.count && numbers[index] == number
      switch (isKnown, present[number]) {
      case (true, let row?): set(row, at: index)
      case (true, nil): going.insert(number)
      case (false, .some): coming.append(number)
      case (false, nil): break
      }
    }
    coming.sort()
    if going.isEmpty, coming.first.map({ $0 > numbers.last ?? .min }) ?? true {
      for number in coming { if let row = present[number] { append(number, row) } }
      return
    }
    merge(coming[...], present, without: going)
  }

  private mutating func set(_ row: GroupedRows.Row, at index: Int) {
    groups[index] = row.group
    for argument in arguments.indices {
      arguments[argument].set(row.arguments[argument], at: index)
    }
  }

  private mutating func merge(
    _ coming: ArraySlice<Int64>,
    _ present: [Int64: GroupedRows.Row],
    without going: Set<Int64>
  ) {
    var coming = coming
    var merged = PackedRows(argumentCount: arguments.count)
    merged.reserveCapacity(numbers.count + coming.count)
    func takeComing(before number: Int64?) {
      while let next = coming.first, number.map({ next < $0 }) ?? true {
        coming.removeFirst()
        if let row = present[next] { merged.append(next, row) }
      }
    }
    for index in numbers.indices {
      takeComing(before: numbers[index])
      if !going.contains(numbers[index]) { merged.append(numbers[index], row(at: index)) }
    }
    takeComing(before: nil)
    self = merged
  }

  private mutating func reserveCapacity(_ count: Int) {
    numbers.reserveCapacity(count)
    groups.reserveCapacity(count)
  }

  /// Gives the rows their indexes as numbers.
  mutating func renumber() { numbers = numbers.indices.map(Int64.init) }
}

/// A value of an argument in a group.
struct GroupValue: Hashable, Sendable {
  let group: Int32
  let value: Int64
}

/// Integers and NULLs, in four bytes each where all of them fit.
struct PackedIntegers: Sendable {
  private var small: [Int32] = []
  /// `nil` while all values are small.
  private var large: [Int64]?

  var memory: Int { large.map { $0.capacity * 8 } ?? small.capacity * 4 }

  /// The value at an index. The lowest number represents NULL, and cannot be kept.
  subscript(index: Int) -> Int64? {
    if let large { return large[index] == .min ? nil : large[index] }
    return small[index] == .min ? nil : Int64(small[index])
  }

  mutating func append(_ value: Int64?) {
    if large == nil, let value, Int32(exactly: value).map({ $0 == .min }) ?? true { widen() }
    if large != nil {
      large?.append(value ?? .min)
    } else {
      small.append(value.map { Int32($0) } ?? .min)
    }
  }

  mutating func set(_ value: Int64?, at index: Int) {
    if large == nil, let value, Int32(exactly: value).map({ $0 == .min }) ?? true { widen() }
    if large != nil {
      large?[index] = value ?? .min
    } else {
      small[index] = value.map { Int32($0) } ?? .min
    }
  }

  private mutating func widen() {
    large = small.map { $0 == .min ? .min : Int64($0) }
    small = []
  }
}
