internal import WellspringSystem

/// A summary of a group of rows: their number, and sums and extremes of their values.
struct GroupSummary: Sendable {
  /// The summary of the values of one argument.
  private struct Part {
    /// The number of values that are not NULL.
    var count = 0
    /// The number of different values, if it is asked for.
    var distinctCount = 0
    var sum: Int64 = 0
    /// The sum of the absolute values, which decides whether the sum can depend on its order.
    var magnitude: Int64 = 0
    var minimum: Int64 = .max
    var maximum: Int64 = .min
    /// Whether a value has left that was the minimum, and no value as low has come since.
    var hasLostMinimum = false
    /// Whether a value has left that was the maximum, and no value as high has come since.
    var hasLostMaximum = false
  }

  let key: [AggregateValue]
  /// The number of rows.
  private(set) var count = 0
  /// Whether it fulfils the `HAVING`.
  var isSelected = true
  private var parts: [Part]

  init(_ key: [AggregateValue], argumentCount: Int) {
    self.key = key
    parts = Array(repeating: Part(), count: argumentCount)
  }

  /// The bytes that it takes, about, with its slot in the table of groups.
  var memory: Int {
    let key = key.reduce(0) { $0 + $1.memory }
    return 160 + 2 * key + parts.count * MemoryLayout<Part>.stride
  }

  /// With larger sums of absolute values, a sum can overflow on its way.
  private static let maximumMagnitude: Int64 = 1 << 62
  /// With larger ones, a real number does not hold each sum.
  private static let maximumRealMagnitude: Int64 = 1 << 53

  /// Adds a row; returns whether the sums stay small enough.
  mutating func add(_ arguments: [Int64?], _ query: AggregateQuery) -> Bool {
    count += 1
    for (index, value) in arguments.enumerated() {
      guard let value else { continue }
      guard value.magnitude < Self.maximumMagnitude else { return false }
      parts[index].count += 1
      parts[index].sum += value
      parts[index].magnitude += abs(value)
      // The other values are not below the former minimum, nor above the former maximum.
      if value <= parts[index].minimum { parts[index].hasLostMinimum = false }
      if value >= parts[index].maximum { parts[index].hasLostMaximum = false }
      parts[index].minimum = min(parts[index].minimum, value)
      parts[index].maximum = max(parts[index].maximum, value)
      let limit =
        query.realArguments.contains(index) ? Self.maximumRealMagnitude : Self.maximumMagnitude
      guard parts[index].magnitude < limit else { return false }
    }
    return true
  }

  mutating func remove(_ arguments: [Int64?], _ query: AggregateQuery) {
    count -= Fault.isOn(.patchGroup) ? 0 : 1
    for (index, value) in arguments.enumerated() {
      guard let value else { continue }
      parts[index].count -= 1
      parts[index].sum -= value
      parts[index].magnitude -= abs(value)
      guard query.extremeArguments.contains(index) else { continue }
      if value == parts[index].minimum { parts[index].hasLostMinimum = true }
      if value == parts[index].maximum { parts[index].hasLostMaximum = true }
    }
  }

  /// Notes values of an argument that have come, or gone.
  mutating func addDistinct(_ difference: Int, argument: Int) {
    parts[argument].distinctCount += difference
  }

  /// Whether an extreme must be looked for among the rows of the group.
  var hasLostExtremes: Bool { parts.contains { $0.hasLostMinimum || $0.hasLostMaximum } }

  /// Begins to look for all extremes.
  mutating func beginExtremes() {
    for index in parts.indices {
      parts[index].minimum = .max
      parts[index].maximum = .min
      parts[index].hasLostMinimum = false
      parts[index].hasLostMaximum = false
    }
  }

  mutating func addExtremes(_ arguments: [Int64?]) {
    for (index, value) in arguments.enumerated() {
      guard let value else { continue }
      parts[index].minimum = min(parts[index].minimum, value)
      parts[index].maximum = max(parts[index].maximum, value)
    }
  }

  /// Returns the value of a result column for the group.
  func value(of column: AggregateQuery.Column) -> AggregateValue {
    switch column {
    case .key(let index): return key[index]
    case .aggregate(_, nil): return .integer(Int64(count))
    case .aggregate(let function, let argument?):
      let part = parts[argument]
      switch function {
      case .count: return .integer(Int64(part.count))
      case .distinctCount: return .integer(Int64(part.distinctCount))
      case .total: return .real(Double(part.sum))
      case _ where part.count == 0: return .null
      case .sum: return .integer(part.sum)
      case .average: return .real(Double(part.sum) / Double(part.count))
      case .minimum: return .integer(part.minimum)
      case .maximum: return .integer(part.maximum)
      }
    }
  }
}
