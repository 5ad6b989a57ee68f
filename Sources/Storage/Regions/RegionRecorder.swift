/// What a statement reads, whatever is bound to its parameters.
struct StatementRegion {
  /// A table of which the statement only looks up the row whose id is bound to a parameter.
  struct Lookup {
    let table: TableName
    let columns: Set<String>?
    /// The index of the parameter: the first one has index 1.
    let parameter: Int32
  }

  /// All but the look-ups.
  var region: DatabaseRegion
  var lookups: [Lookup] = []
}

/// Collects what the statements of a fetch read.
final class RegionRecorder {
  private(set) var region = DatabaseRegion()
  /// The SQL of the statements, each one once.
  private(set) var statements: [String] = []
  /// Statements that need not be looked at again: those that ran last, when they read the same
  /// whatever is bound.
  private var lastStatement: ObjectIdentifier?

  /// There are no more in an explanation.
  private static let maximumStatements = 50

  /// What a statement reads with the arguments that are bound, without running it.
  static func region(of statement: Statement) throws -> DatabaseRegion {
    let recorder = RegionRecorder()
    try recorder.record(statement)
    return recorder.region
  }

  /// Notes a statement that is about to run.
  func record(_ statement: Statement) throws {
    let analyzed: StatementRegion
    if let known = statement.region {
      if lastStatement == ObjectIdentifier(statement), known.lookups.isEmpty { return }
      analyzed = known
    } else {
      analyzed = try RegionAnalysis.region(of: statement)
      statement.region = analyzed
    }
    if lastStatement != ObjectIdentifier(statement), statements.count < Self.maximumStatements,
      !statements.contains(statement.sql)
    {
      statements.append(statement.sql)
    }
    lastStatement = ObjectIdentifier(statement)
    region.formUnion(analyzed.region)
    for lookup in analyzed.lookups {
      region.formUnion(
        DatabaseRegion(
          lookup.table,
          DatabaseRegion.Table(
            columns: lookup.columns,
            rowIDs: rowIDs(equalTo: statement.boundValue(at: lookup.parameter))
          )
        )
      )
    }
  }

  /// Notes a region that no statement reads.
  func record(_ region: DatabaseRegion) { self.region.formUnion(region) }

  /// The row ids that SQLite finds equal to a value; `nil` for any.
  private func rowIDs(equalTo value: DatabaseValue?) -> Set<Int64>? {
    switch value?.storage {
    case .int64(let rowID): [rowID]
    case .null: []
    // A text such as '12' is converted to a number before it is compared.
    case .double, .string, .blob, nil: nil
    }
  }
}

extension Database {
  /// The result of a closure, and what its statements read.
  func recordingRegion<Value>(
    _ body: () throws -> Value
  ) -> (result: Result<Value, any Error>, recorder: RegionRecorder) {
    let outer = regionRecorder
    let recorder = RegionRecorder()
    regionRecorder = recorder
    defer { regionRecorder = outer }
    let result = Result { try body() }
    return (result, recorder)
  }
}
