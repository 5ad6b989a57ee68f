/// The results of the kinds of queries.
extension ElementsPatcher {
  /// Compiles the query if its result can be patched; otherwise returns `nil`.
  private func prepare(_ db: Database) throws -> PreparedRequest? {
    let prepared = try request.makePreparedRequest(db, forSingleResult: form.kind == .firstRow)
    // A request may read the database to make its query, and another one may choose other
    // associated rows by the time.
    let canPrefetch = form.kind != .count && request is any ConstantFetchRequest
    guard db.regionRecorder?.statements.isEmpty != false,
      canPrefetch || prepared.prefetches.isEmpty
    else { return nil }
    return prepared
  }

  // MARK: Whole queries

  /// Fetches the value in a way that allows the next one to be patched.
  ///
  /// - Parameter run: The run.
  /// - Returns: The value; `nil` when it can only be fetched.
  /// - Throws: ``PatchObstacle`` when that will not change, or the error of the query.
  func fetchKeeping(_ run: Run) throws -> PatchedFetch<Value>? {
    let db = run.db
    guard let prepared = try prepare(db) else { return nil }
    // Another statement runs in its place.
    try prepared.statement.learnSchema()
    let statement = try prepared.statement.expandingSources()
    if form.kind == .count { return try fetchCount(of: statement, prepared, run) }
    if prepared.prefetches.isEmpty, let query = try NumberQuery(statement.sql) {
      guard let result = try NumberResult(query, statement, db) else { return nil }
      try db.regionRecorder?.record(prepared.statement)
      return try keeping(result, of: result.number, prepared, run, isUnchanged: nil)
    }
    if let query = try CompoundQuery(statement.sql) {
      return try fetchKeeping(query, statement, prepared, run)
    }
    let plan: PatchPlan
    do {
      plan = try PatchAnalysis.plan(for: prepared, statement, form.kind)
    } catch let obstacle as PatchObstacle {
      guard prepared.prefetches.isEmpty, let query = try AggregateQuery(statement.sql) else {
        throw obstacle
      }
      return try fetchKeeping(query, statement, prepared, run)
    }
    let arguments = statement.boundValues.map { $0 ?? .null }
    let (result, recorder) = db.recordingRegion {
      try PatchedResult(plan, arguments, db, RowForm(prepared), form.decode)
    }
    // A function made in Swift may have run further statements.
    guard recorder.statements.first == plan.wholeSQL,
      recorder.statements.count <= 1 + plan.prefetchCount
    else { return nil }
    if prepared.prefetches.isEmpty {
      try db.regionRecorder?.record(prepared.statement)
    } else {
      let areConstant = db.regionRecorder?.argumentsAreConstant ?? false
      try db.regionRecorder?.record(
        prepared.databaseRegion(db, argumentsAreConstant: areConstant)
      )
    }
    return try keeping(result.get(), prepared, run, isUnchanged: nil) { .rows($0) }
  }

  /// Fetches the number of the request's rows.
  private func fetchCount(
    of statement: Statement,
    _ prepared: PreparedRequest,
    _ run: Run
  ) throws -> PatchedFetch<Value>? {
    guard let result = try NumberResult(rowsOf: statement, run.db) else { return nil }
    // The request may count in another way than by its rows. Its region is recorded, too.
    let count = try form.fetch(run.db)
    guard let recorder = run.db.regionRecorder, recorder.statements.count == 1,
      try Self.counts(recorder.statements[0], rowsOf: prepared.statement.sql),
      count as? Int == result.number
    else { throw PatchObstacle.groupsRows }
    return try keeping(result, of: result.number, prepared, run, isUnchanged: nil)
  }

  /// Whether a statement counts the rows of a query.
  private static func counts(_ sql: String, rowsOf query: String) throws -> Bool {
    if sql == "SELECT COUNT(*) FROM (\(query))" { return true }
    let (count, rows) = try (SelectText(sql), SelectText(query))
    return !count.cuts.isGrouped && !rows.cuts.isGrouped && count.list.asciiLowercased == "count(*)"
      && count.limit == nil
      && count.source == rows.source && count.condition == rows.condition
  }

  private func fetchKeeping(
    _ query: AggregateQuery,
    _ statement: Statement,
    _ prepared: PreparedRequest,
    _ run: Run
  ) throws -> PatchedFetch<Value>? {
    let db = run.db
    let (found, recorder) = db.recordingRegion {
      try AggregateResult(query, statement, db, adapter: prepared.adapter, form.decode)
    }
    guard let result = try found.get() else { return nil }
    // A function made in Swift may have run further statements.
    guard recorder.statements == [statement.sql] else { return nil }
    try db.regionRecorder?.record(prepared.statement)
    return keeping(result, prepared, run, isUnchanged: nil) { .groups($0) }
  }

  private func fetchKeeping(
    _ query: CompoundQuery,
    _ statement: Statement,
    _ prepared: PreparedRequest,
    _ run: Run
  ) throws -> PatchedFetch<Value>? {
    guard form.kind == .allRows, prepared.prefetches.isEmpty else {
      throw PatchObstacle.isCompound
    }
    let db = run.db
    let queries = try query.statements(of: statement).map { statement in
      let arguments = statement.boundValues.map { $0 ?? .null }
      return (plan: try PatchAnalysis.plan(for: statement), arguments: arguments)
    }
    let arguments = statement.boundValues.map { $0 ?? .null }
    let (result, recorder) = db.recordingRegion {
      try CompoundResult(queries, arguments, db, RowForm(prepared), form.decode)
    }
    // A function made in Swift may have run further statements. Equal ones are recorded once.
    var texts: [String] = []
    for query in queries where !texts.contains(query.plan.wholeSQL) {
      texts.append(query.plan.wholeSQL)
    }
    guard recorder.statements == texts else { return nil }
    try db.regionRecorder?.record(prepared.statement)
    return try keeping(result.get(), prepared, run, isUnchanged: nil) { .compound($0) }
  }

  // MARK: Patches

  /// Patches the last value.
  ///
  /// - Parameters:
  ///   - kept: The data that was kept of the last value.
  ///   - changed: All rows of its tables that have changed since.
  ///   - run: A run in whose snapshot no other row has changed.
  /// - Returns: The value; `nil` when it must be fetched.
  /// - Throws: Any error, after which the value must be fetched.
  func patch(_ kept: Kept, changed: ChangedRows, _ run: Run) throws -> PatchedFetch<Value>? {
    guard let prepared = try prepare(run.db), prepared.statement.sql.hasSameBytes(as: kept.sql),
      prepared.statement.boundValues == kept.result.arguments
    else { return nil }
    switch kept.result {
    case .rows(let rows): return try patch(rows, changed: changed, prepared, run) { .rows($0) }
    case .number(let number): return try patch(number, changed: changed, prepared, run)
    case .groups(let groups): return try patch(groups, changed: changed, prepared, run)
    case .compound(let compound):
      return try patch(compound, changed: changed, prepared, run) { .compound($0) }
    }
  }

  private func patch<Rows: PatchedRows>(
    _ old: Rows,
    changed: ChangedRows,
    _ prepared: PreparedRequest,
    _ run: Run,
    _ kept: @escaping @Sendable (Rows) -> KeptResult<Element>
  ) throws -> PatchedFetch<Value>? where Rows.Element == Element {
    var result = old
    let patch = try run.db.unrecorded {
      try result.patch(changed: changed, run.db, RowForm(prepared), form.decode)
    }
    guard let patch else { return nil }
    let isUnchanged = isUnchanged(patch, old.elements, result.elements)
    return keeping(result, prepared, run, isUnchanged: isUnchanged, patch, kept: kept)
  }

  private func isUnchanged(_ patch: RowPatch, _ old: [Element], _ new: [Element]) -> Bool {
    form.comparesElements ? patch.isUnchanged(old, new) : patch.isEmpty
  }

  private func patch(
    _ old: NumberResult,
    changed: ChangedRows,
    _ prepared: PreparedRequest,
    _ run: Run
  ) throws -> PatchedFetch<Value>? {
    guard let patch = try old.patch(changed: changed, run.db) else { return nil }
    let isUnchanged =
      try patch.number == old.number || isEqual(old, patch.number, prepared, run.db)
    return try keeping(old, of: patch.number, prepared, run, isUnchanged: isUnchanged) {
      old.rows.apply(patch.difference)
    }
  }

  private func patch(
    _ old: AggregateResult<Element>,
    changed: ChangedRows,
    _ prepared: PreparedRequest,
    _ run: Run
  ) throws -> PatchedFetch<Value>? {
    var result = old
    let difference = try run.db.unrecorded {
      try result.patch(changed: changed, run.db, adapter: prepared.adapter, form.decode)
    }
    guard let difference else { return nil }
    return keeping(
      result,
      prepared,
      run,
      isUnchanged: isUnchanged(difference.patch, old.elements, result.elements),
      difference.patch,
      apply: { old.rows.apply(difference) }
    ) { .groups($0) }
  }

  /// Whether two numbers make equal values, as they do in `SELECT count(*) > 0 FROM item`.
  private func isEqual(
    _ old: NumberResult,
    _ number: Int,
    _ prepared: PreparedRequest,
    _ db: Database
  ) throws -> Bool {
    guard form.kind != .count, isEquatable(Value.self) else { return false }
    let values = try [old.number, number].map { number in
      form.value([try old.element(of: number, db, adapter: prepared.adapter, form.decode)])
    }
    guard let before = values[0], let after = values[1] else { return false }
    return areEquatablesEqual(before, after)
  }

  // MARK: Values

  /// Makes the value of a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - prepared: The query.
  ///   - run: The run.
  ///   - isUnchanged: Whether the value equals the last one; `nil` if it was fetched as a whole.
  ///   - patch: The changes since then.
  ///   - apply: Called before the result is kept.
  ///   - kept: Makes the kept result.
  /// - Returns: The value; `nil` when it must be fetched.
  private func keeping<Rows: PatchedElements>(
    _ result: Rows,
    _ prepared: PreparedRequest,
    _ run: Run,
    isUnchanged: Bool?,
    _ patch: RowPatch? = nil,
    apply: @escaping @Sendable () -> Void = {},
    kept: @escaping @Sendable (Rows) -> KeptResult<Element>
  ) -> PatchedFetch<Value>? where Rows.Element == Element {
    let isSingle = form.kind == .firstRow
    guard let value = form.value(isSingle ? Array(result.elements.prefix(1)) : result.elements)
    else { return nil }
    return keeping(
      value,
      of: run,
      prepared.statement.sql,
      result.inputs,
      isUnchanged: isUnchanged,
      isSingle ? nil : patch?.elementsPatch
    ) { [form] equal in
      apply()
      var result = result
      // The elements are held once.
      if let elements = equal.flatMap(form.elements) { result.share(elements) }
      return kept(result)
    }
  }

  /// Makes the value of a number.
  private func keeping(
    _ result: NumberResult,
    of number: Int,
    _ prepared: PreparedRequest,
    _ run: Run,
    isUnchanged: Bool?,
    apply: @escaping @Sendable () -> Void = {}
  ) throws -> PatchedFetch<Value>? {
    let element = try result.element(of: number, run.db, adapter: prepared.adapter, form.decode)
    guard let value = form.value([element]) else { return nil }
    return keeping(
      value,
      of: run,
      prepared.statement.sql,
      result.plan.inputs,
      isUnchanged: isUnchanged
    ) { _ in
      apply()
      return .number(result)
    }
  }
}
