internal import WellspringPlatform

/// What a statement reads, independent of the values of its parameters.
struct StatementRegion {
  /// A table of which the statement only looks up the rows whose ids are bound to parameters.
  struct Lookup {
    let table: TableName
    let columns: Extent<ColumnName>
    /// The indexes of the parameters; the first parameter has index 1.
    let parameters: [Int32]
  }

  /// A table and a column. The statement reads only rows of the table that have certain values in
  /// the column.
  struct Condition {
    let table: TableName
    let columns: Extent<ColumnName>
    let column: ConditionColumn
    let affinity: ColumnAffinity
    /// The values; the bounds of a range are in ascending order.
    let wanted: ExplainedProgram.Condition.Wanted
    /// Whether the column is the row id, which is an integer.
    let isRowID: Bool
    /// Whether the statement makes texts of numbers before it compares them. The column's affinity
    /// does that by itself only where it takes part in the comparison.
    let comparesTexts: Bool
  }

  /// Everything but the lookups and the conditions.
  var region: DatabaseRegion
  var lookups: [Lookup] = []
  var conditions: [Condition] = []

  /// Whether the statement reads the same with any arguments.
  var isConstant: Bool { lookups.isEmpty && conditions.isEmpty }
}

extension StatementRegion.Condition {
  /// The values with which a statement runs.
  struct Arguments {
    let values: [DatabaseValue?]
    /// Whether later runs have the same arguments. A bound of a range may be the time of the run.
    let areConstant: Bool
    let database: Database
  }

  /// Returns the values that rows have, with these arguments; all of them when it is in doubt which
  /// values SQLite takes for equal, or how it sorts them.
  func extent(_ arguments: Arguments) -> Extent<SoughtValues> {
    switch wanted {
    case .values(let values):
      var found: Set<SoughtValues> = []
      for value in values {
        guard let range = range(of: value, arguments) else { return .all }
        found.insert(SoughtValues(column: column, range: range))
      }
      return .some(found)
    case .range(let lower, let upper):
      guard arguments.areConstant || Fault.isOn(.valueClosure) else { return .all }
      let range = ValueRange(
        lower: lower.flatMap { bound($0, arguments, isUpper: false) },
        upper: upper.flatMap { bound($0, arguments, isUpper: true) }
      )
      if range.lower == nil, range.upper == nil { return .all }
      return .some([SoughtValues(column: column, range: range)])
    }
  }

  /// The values that equal a value.
  private func range(of value: ExplainedProgram.Value, _ arguments: Arguments) -> ValueRange? {
    if case .real = value {
      let bound = ExplainedProgram.Condition.Bound(value: value, isIncluded: true)
      guard let lower = self.bound(bound, arguments, isUpper: false),
        let upper = self.bound(bound, arguments, isUpper: true)
      else { return nil }
      return ValueRange(lower: lower, upper: upper)
    }
    return argument(of: value, arguments).flatMap(key).map { ValueRange($0) }
  }

  private func bound(
    _ bound: ExplainedProgram.Condition.Bound,
    _ arguments: Arguments,
    isUpper: Bool
  ) -> ValueRange.Bound? {
    if case .real(let number) = bound.value {
      // The last of 16 digits is rounded, which is less than eight of the smallest steps.
      let step = (isUpper ? 8 : -8) * number.ulp
      return ValueKey((number + step).databaseValue, affinity, column.collation)
        .map { ValueRange.Bound(key: $0, isIncluded: true) }
    }
    guard let argument = argument(of: bound.value, arguments), let key = key(of: argument),
      // A number comes before all texts, but its text does not.
      affinity != .text || comparesTexts || !argument.isNumber,
      // Otherwise, BINARY compares other bytes.
      !key.isText || arguments.database.storesUTF8()
    else { return nil }
    return ValueRange.Bound(key: key, isIncluded: bound.isIncluded)
  }

  private func argument(
    of value: ExplainedProgram.Value,
    _ arguments: Arguments
  ) -> DatabaseValue? {
    switch value {
    case .parameter(let index): arguments.values[Int(index) - 1]
    case .integer(let number): number.databaseValue
    case .real(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .null: .null
    }
  }

  private func key(of argument: DatabaseValue) -> ValueKey? {
    if isRowID, !argument.isInteger { return nil }
    return ValueKey(argument, affinity, column.collation)
  }
}

extension DatabaseValue {
  fileprivate var isInteger: Bool {
    if case .int64 = storage { return true }
    return false
  }

  fileprivate var isNumber: Bool {
    if case .double = storage { return true }
    return isInteger
  }
}
