/// Records the region of the statements of a fetch.
final class RegionRecorder {
  /// The region of the statements that were recorded before the last one.
  @exclusivity(unchecked) private var earlierRegion = DatabaseRegion()
  /// The region of the last record.
  @exclusivity(unchecked) private var lastRegion = DatabaseRegion()
  /// The SQL of the statements, each one once.
  @exclusivity(unchecked) private(set) var statements: [String] = []
  /// Whether requests record the region of all possible rows, whatever rows they find: the region
  /// also counts for later runs.
  @exclusivity(unchecked) var coversLaterRuns = false
  /// Whether later runs have the same statements with the same arguments.
  @exclusivity(unchecked) var argumentsAreConstant = false
  /// The statement that was recorded last. When it runs again, it is skipped if its region does not
  /// depend on its arguments.
  @exclusivity(unchecked) private var lastStatement: ObjectIdentifier?
  /// Whether the last record covers several runs.
  @exclusivity(unchecked) private var isRepeated = false

  /// The maximum number of statements that an explanation of an observation shows.
  private static let maximumStatements = 50

  var region: DatabaseRegion { earlierRegion.union(lastRegion) }

  /// Returns the region of a statement with the arguments that are bound to it, without running it.
  static func region(
    of statement: Statement,
    argumentsAreConstant: Bool = true
  ) throws -> DatabaseRegion {
    try statement.learnSchema()
    let recorder = RegionRecorder()
    recorder.argumentsAreConstant = argumentsAreConstant
    try recorder.record(statement)
    return recorder.region
  }

  /// Records a statement that is about to run.
  func record(_ statement: Statement) throws {
    let known = statement.region
    var analyzed = try known ?? RegionAnalysis.region(of: statement)
    let dependsOnArguments = analyzed.dependsOnArguments(areConstant: argumentsAreConstant)
    // A statement that SQLite has recompiled is analyzed again, and may read something else.
    if known == nil {
      statement.region = analyzed
    } else if lastStatement == ObjectIdentifier(statement), !dependsOnArguments {
      isRepeated = true
      return
    }
    if lastStatement != ObjectIdentifier(statement), statements.count < Self.maximumStatements,
      !statements.contains(statement.sql)
    {
      statements.append(statement.sql)
    }
    let values = dependsOnArguments ? statement.boundValues : []
    if argumentsAreConstant, !analyzed.patterns.isEmpty {
      analyzed = try analyzed.withPatterns(of: values, statement)
    }
    record(analyzed.region)
    lastStatement = ObjectIdentifier(statement)
    guard !analyzed.conditions.isEmpty else { return }
    let arguments = StatementRegion.Condition.Arguments(
      values: values,
      areConstant: argumentsAreConstant,
      database: statement.database
    )
    for condition in analyzed.conditions {
      lastRegion.formUnion(DatabaseRegion(condition.table, condition.part(arguments)))
    }
  }

  /// Records a statement again, in whose first step SQLite has found a new schema: it has read
  /// nothing by the old one.
  func recordRecompiled(_ statement: Statement) throws {
    if lastStatement == ObjectIdentifier(statement), !isRepeated { lastRegion = DatabaseRegion() }
    try record(statement)
  }

  /// Adds the records of another recorder.
  func record(_ other: RegionRecorder) {
    for sql in other.statements
    where statements.count < Self.maximumStatements && !statements.contains(sql) {
      statements.append(sql)
    }
    record(other.region)
  }

  /// Records a region that no statement reads.
  func record(_ region: DatabaseRegion) {
    earlierRegion.formUnion(lastRegion)
    lastRegion = region
    lastStatement = nil
    isRepeated = false
  }
}
