/// How a value that is made of the elements of a request is patched.
struct ElementsRule<Request: FetchRequest & Sendable, Element, Value: Sendable>: PatchRule {
  struct Kept: KeptResult {
    let sql: String
    let result: Result

    var memory: Int {
      switch result {
      case .rows(let rows): rows.memory
      case .number(let number): number.result.rows.memory
      case .groups(let groups): groups.rows.memory
      case .compound(let compound): compound.memory
      }
    }

    var plan: (sql: String, description: String) {
      let description =
        switch result {
        case .rows(let rows): rows.plan.description()
        case .number(let number): number.result.plan.description(of: "the number of")
        case .groups(let groups): groups.plan.description(of: "groups or aggregates of")
        case .compound(let compound):
          compound.plans.map { $0.description() }.joined(separator: "\n")
        }
      return (sql, description)
    }

    var takesSecondRun: Bool {
      switch result {
      case .rows, .number, .compound: false
      case .groups: true
      }
    }

    enum Result: Sendable {
      case rows(PatchedResult<Element>)
      /// The query counts rows: its only row is made of their number.
      case number(NumberResult)
      /// The rows are groups, or are about all rows.
      case groups(AggregateResult<Element>)
      /// The rows are those of several queries.
      case compound(CompoundResult<Element>)

      var arguments: [DatabaseValue] {
        switch self {
        case .rows(let rows): rows.arguments
        case .number(let number): number.result.arguments
        case .groups(let groups): groups.arguments
        case .compound(let compound): compound.arguments
        }
      }
    }
  }

  /// What is made of the rows of the request.
  struct Form: Sendable {
    let kind: PatchPlan.Kind
    /// Makes an element of a row.
    let decode: @Sendable (Row) throws -> Element
    /// Makes the value; `nil` when the request itself must make it.
    let value: @Sendable ([Element]) -> Value?
    /// Returns the elements of which a value is made; `nil` for a value of another kind.
    let elements: @Sendable (Value) -> [Element]?
    /// Makes the value without patches.
    let fetch: @Sendable (Database) throws -> Value
    /// Whether elements that come are compared with those that leave, to find equal values.
    var comparesElements = true
  }

  let request: Request
  let form: Form

  func fetch(_ db: Database) throws -> Value { try form.fetch(db) }

  private func prepare(_ db: Database) throws -> PreparedRequest? {
    try request.prepareForPatches(
      db,
      forSingleResult: form.kind == .firstRow,
      // Another request may choose other associated rows by the time.
      canPrefetch: request is any ConstantFetchRequest
    )
  }

  func patch(
    _ kept: Kept,
    changed: ChangedRows,
    _ db: Database
  ) throws -> Patched<Value, Kept>? {
    guard let prepared = try prepare(db), prepared.statement.sql == kept.sql,
      prepared.statement.boundValues == kept.result.arguments
    else { return nil }
    switch kept.result {
    case .rows(let rows): return try patch(rows, changed: changed, db, prepared) { .rows($0) }
    case .number(let number): return try patch(number, changed: changed, db, prepared)
    case .groups(let groups): return try patch(groups, changed: changed, db, prepared)
    case .compound(let compound):
      return try patch(compound, changed: changed, db, prepared) { .compound($0) }
    }
  }

  private func patch<Rows: PatchedRows>(
    _ old: Rows,
    changed: ChangedRows,
    _ db: Database,
    _ prepared: PreparedRequest,
    _ kept: @escaping @Sendable (Rows) -> Kept.Result
  ) throws -> Patched<Value, Kept>? where Rows.Element == Element {
    var result = old
    let patch = try db.unrecorded {
      try result.patch(changed: changed, db, RowForm(prepared), form.decode)
    }
    guard let patch else { return nil }
    return patched(
      result,
      prepared.statement.sql,
      isUnchanged: isUnchanged(patch, old.elements, result.elements),
      patch,
      kept: kept
    )
  }

  private func isUnchanged(_ patch: RowPatch, _ old: [Element], _ new: [Element]) -> Bool {
    form.comparesElements ? patch.isUnchanged(old, new) : patch.isEmpty
  }

  private func patch(
    _ old: NumberResult,
    changed: ChangedRows,
    _ db: Database,
    _ prepared: PreparedRequest
  ) throws -> Patched<Value, Kept>? {
    guard let patch = try old.patch(changed: changed, db) else {
      return nil
    }
    let isUnchanged = try patch.number == old.number || isEqual(old, patch.number, db, prepared)
    return try patched(old, of: patch.number, db, prepared, isUnchanged: isUnchanged) {
      old.result.rows.apply(patch.difference)
    }
  }

  private func patch(
    _ old: AggregateResult<Element>,
    changed: ChangedRows,
    _ db: Database,
    _ prepared: PreparedRequest
  ) throws -> Patched<Value, Kept>? {
    var result = old
    let difference = try db.unrecorded {
      try result.patch(changed: changed, db, adapter: prepared.adapter, form.decode)
    }
    guard let difference else { return nil }
    return patched(
      result,
      prepared.statement.sql,
      isUnchanged: isUnchanged(difference.patch, old.elements, result.elements),
      difference.patch,
      apply: { old.rows.apply(difference) }
    ) { .groups($0) }
  }

  /// Whether two numbers make equal values, as they do in `SELECT count(*) > 0 FROM item`.
  private func isEqual(
    _ old: NumberResult,
    _ number: Int,
    _ db: Database,
    _ prepared: PreparedRequest
  ) throws -> Bool {
    guard isEquatable(Value.self) else { return false }
    let values = try [old.number, number].map { number in
      form.value([try old.element(of: number, db, adapter: prepared.adapter, form.decode)])
    }
    guard let before = values[0], let after = values[1] else { return false }
    return areEquatablesEqual(before, after)
  }

  func fetchKeeping(_ db: Database) throws -> Patched<Value, Kept>? {
    guard let prepared = try prepare(db) else { return nil }
    // Another statement runs in its place.
    try prepared.statement.learnSchema()
    let statement = try prepared.statement.expandingSources()
    if prepared.prefetches.isEmpty, let query = try NumberQuery(statement.sql) {
      guard let result = try NumberResult(query, statement, db) else { return nil }
      try db.regionRecorder?.record(prepared.statement)
      return try patched(result, of: result.number, db, prepared, isUnchanged: nil) {}
    }
    if let query = try CompoundQuery(statement.sql) {
      return try fetchKeeping(query, statement, db, prepared)
    }
    let plan: PatchPlan
    do {
      plan = try PatchAnalysis.plan(for: prepared, statement, form.kind)
    } catch let obstacle as PatchObstacle {
      guard prepared.prefetches.isEmpty, let query = try AggregateQuery(statement.sql) else {
        throw obstacle
      }
      return try fetchKeeping(query, statement, db, prepared)
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
    return try patched(result.get(), prepared.statement.sql, isUnchanged: nil) { .rows($0) }
  }

  private func fetchKeeping(
    _ query: AggregateQuery,
    _ statement: Statement,
    _ db: Database,
    _ prepared: PreparedRequest
  ) throws -> Patched<Value, Kept>? {
    let (found, recorder) = db.recordingRegion {
      try AggregateResult(query, statement, db, adapter: prepared.adapter, form.decode)
    }
    guard let result = try found.get() else { return nil }
    // A function made in Swift may have run further statements.
    guard recorder.statements == [statement.sql] else { return nil }
    try db.regionRecorder?.record(prepared.statement)
    return patched(result, prepared.statement.sql, isUnchanged: nil) { .groups($0) }
  }

  private func fetchKeeping(
    _ query: CompoundQuery,
    _ statement: Statement,
    _ db: Database,
    _ prepared: PreparedRequest
  ) throws -> Patched<Value, Kept>? {
    guard form.kind == .allRows, prepared.prefetches.isEmpty else {
      throw PatchObstacle.isCompound
    }
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
    return try patched(result.get(), prepared.statement.sql, isUnchanged: nil) { .compound($0) }
  }

  /// Makes the value of a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - sql: The statement.
  ///   - isUnchanged: Whether the value equals the last one; `nil` if it was fetched as a whole.
  ///   - patch: What has changed since.
  ///   - apply: Called before the result is kept.
  ///   - kept: Makes what is kept.
  /// - Returns: The value; `nil` when it must be fetched.
  private func patched<Rows: PatchedElements>(
    _ result: Rows,
    _ sql: String,
    isUnchanged: Bool?,
    _ patch: RowPatch? = nil,
    apply: @escaping @Sendable () -> Void = {},
    kept: @escaping @Sendable (Rows) -> Kept.Result
  ) -> Patched<Value, Kept>? where Rows.Element == Element {
    let isSingle = form.kind == .firstRow
    guard let value = form.value(isSingle ? Array(result.elements.prefix(1)) : result.elements)
    else { return nil }
    return Patched(
      value: value,
      inputs: result.inputs,
      isUnchanged: isUnchanged,
      patch: isSingle ? nil : patch?.places,
      keep: { equal in
        apply()
        var result = result
        // The elements are held once.
        if let elements = equal.flatMap(form.elements) { result.share(elements) }
        return Kept(sql: sql, result: kept(result))
      }
    )
  }

  private func patched(
    _ result: NumberResult,
    of number: Int,
    _ db: Database,
    _ prepared: PreparedRequest,
    isUnchanged: Bool?,
    apply: @escaping @Sendable () -> Void
  ) throws -> Patched<Value, Kept>? {
    let element = try result.element(of: number, db, adapter: prepared.adapter, form.decode)
    guard let value = form.value([element]) else { return nil }
    let sql = prepared.statement.sql
    return Patched(
      value: value,
      inputs: result.result.plan.inputs,
      isUnchanged: isUnchanged,
      keep: { _ in
        apply()
        return Kept(sql: sql, result: .number(result))
      }
    )
  }
}

extension ElementsRule where Request.RowDecoder: Fetchable & Sendable {
  /// Patches all elements.
  init(all request: Request) where Element == Request.RowDecoder, Value == [Element] {
    self.init(
      request: request,
      form: Form(
        kind: .allRows,
        decode: { try Element.fetched(from: $0) },
        value: { $0 },
        elements: { $0 },
        fetch: { db in try request.fetchAll(db) }
      )
    )
  }

  /// Patches the first element.
  init(first request: Request)
  where Element == Request.RowDecoder?, Value == Request.RowDecoder? {
    self.init(
      first: request,
      value: { $0 },
      fetch: { db in try request.fetchOne(db) }
    )
  }

  /// Patches the value of the first element.
  init<Single: SingleElementRequest>(of single: Single)
  where Single.Request == Request, Element == Request.RowDecoder?, Value == Single.Value {
    self.init(
      first: single.request,
      value: { Single.value(of: $0) },
      fetch: { db in try single.fetch(db) }
    )
  }

  private init(
    first request: Request,
    value: @escaping @Sendable (Element) -> Value?,
    fetch: @escaping @Sendable (Database) throws -> Value
  ) where Element == Request.RowDecoder? {
    self.init(
      request: request,
      form: Form(
        kind: .firstRow,
        decode: { try Request.RowDecoder.fetchedOne(from: $0) },
        value: { value($0.first ?? nil) },
        elements: { _ in nil },
        fetch: fetch
      )
    )
  }
}
