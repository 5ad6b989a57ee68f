internal import WellspringSystem

/// The region of a statement, independent of the values of its parameters.
struct StatementRegion {
  /// A table and a column. The statement reads only rows of the table that have certain values in
  /// the column.
  struct Condition {
    let table: TableName
    let columns: Extent<ColumnName>
    let column: ConditionColumn
    let affinity: ColumnAffinity
    /// The values; the bounds of a range are in ascending order.
    let wanted: ExplainedProgram.Condition.Wanted
    /// Whether the statement makes texts of numbers before it compares them. The column's affinity
    /// does that by itself only where it takes part in the comparison.
    let comparesTexts: Bool
  }

  /// Everything but the conditions.
  var region: DatabaseRegion
  var conditions: [Condition] = []
  /// The parameters with the patterns of `LIKE` and `GLOB`: with their values, SQLite may find a
  /// range of an index, and the statement reads fewer rows.
  var patterns: [Int32] = []

  /// The regions with some values of these parameters.
  var byPatterns: [[DatabaseValue?]: StatementRegion] = [:]

  /// Returns whether the region depends on the arguments of the run. A range of a pattern counts
  /// only where later runs have the same arguments.
  func dependsOnArguments(areConstant: Bool) -> Bool {
    !conditions.isEmpty || areConstant && !patterns.isEmpty
  }
}

extension StatementRegion {
  /// With more patterns than this, the regions of earlier patterns are dropped.
  private static let maximumPatterns = 100

  /// Returns the region of a statement with the patterns that are bound to it. This region is the
  /// one without them.
  func withPatterns(of values: [DatabaseValue?], _ statement: Statement) throws -> StatementRegion {
    let patterns = patterns.map { values[Int($0) - 1] }
    if let known = byPatterns[patterns] { return known }
    let found = try RegionAnalysis.region(
      of: statement,
      arguments: StatementArguments(values.map { $0 ?? .null })
    )
    if byPatterns.count >= Self.maximumPatterns { statement.region?.byPatterns = [:] }
    statement.region?.byPatterns[patterns] = found
    return found
  }
}

extension StatementRegion.Condition {
  /// The values with which a statement runs.
  struct Arguments {
    let values: [DatabaseValue?]
    /// Whether later runs have the same arguments. A bound of a range may be the time of the run.
    let areConstant: Bool
    let database: Database
  }

  /// Returns the part of the table that the statement reads with these arguments.
  func part(_ arguments: Arguments) -> DatabaseRegion.Table {
    if column.isRowID, case .values(let values) = wanted {
      return DatabaseRegion.Table(columns: columns, rowIDs: rowIDs(values, arguments))
    }
    return DatabaseRegion.Table(columns: columns, rowIDs: .all, values: extent(arguments))
  }

  /// Returns the row ids that SQLite may find equal to one of several values; all row ids when a
  /// value can be any id.
  private func rowIDs(
    _ values: [ExplainedProgram.Value],
    _ arguments: Arguments
  ) -> Extent<Int64> {
    var rowIDs: Set<Int64> = []
    for value in values {
      switch argument(of: value, arguments)?.storage {
      case .int64(let rowID): rowIDs.insert(rowID)
      case .null: break
      // SQLite converts a text such as '12' to a number before it compares.
      case .double, .string, .blob, nil: return .all
      }
    }
    return .some(rowIDs)
  }

  /// Returns the values that rows have, with these arguments; all values when it is in doubt which
  /// values SQLite treats as equal, or how it sorts them.
  private func extent(_ arguments: Arguments) -> Extent<SoughtValues> {
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
    if column.isRowID, !argument.isInteger { return nil }
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
