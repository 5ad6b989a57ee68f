@testable import Storage

/// Drives a broker's state machine without a database and without a clock. Queries and waiters are
/// letters. Regions, changes and the decisions of the machine are text.
struct BrokerScript: ~Copyable {
  struct Query: Identifiable {
    let name: String
    var id: QueryID { QueryID(UInt64(name.unicodeScalars.first!.value)) }
  }

  typealias Machine = BrokerStateMachine<Query, String>

  var machine: Machine
  static let firstGrowth: UInt64 = 1
  /// How often the observed region has grown.
  var growth = firstGrowth
  /// In microseconds.
  var now: UInt64 = 10_000_000

  private var nanoseconds: UInt64 { now * 1000 }

  init(readers: Int = 4, share: Double? = nil) {
    machine = Machine(maximumReaders: readers, share: share)
  }

  // MARK: Queries come and go

  /// Starts a query, which the caller must run if the answer says so.
  mutating func start(_ name: String) -> String {
    switch machine.admit(Query(name: name)) {
    case .mustRun: "run"
    case .isPending: "pending"
    case .isCurrent(let number): "current at \(number)"
    case .isClosed: "closed"
    }
  }

  /// Starts queries and ends their first runs.
  mutating func add(_ names: String, reads region: String, took milliseconds: UInt64 = 1) {
    for name in names.split(separator: " ").map(String.init) {
      _ = start(name)
      _ = end(name, in: machine.lastNumber.rawValue, reads: region, took: milliseconds)
    }
  }

  /// Starts a query, which gets in the line for its first run.
  mutating func submit(_ name: String) -> String {
    _ = start(name)
    let time = nanoseconds
    return text(machine.awaitFirstRun(of: Query(name: name), now: time))
  }

  mutating func remove(_ name: String) -> String {
    let removal = machine.remove(Query(name: name).id)
    var parts = removal.waiters.map { "resume \($0)" }
    if removal.hasShrunk { parts.append("less is observed") }
    if removal.isEmpty { parts.append("none is left") }
    return joined(parts)
  }

  mutating func close() -> String {
    let (queries, waiters, _) = machine.close()
    return joined(queries.map { "close \($0.name)" }.sorted() + waiters.map { "resume \($0)" })
  }

  // MARK: Commits and runs

  /// Ends a commit whose transaction tracked the observed region at a growth: the present growth,
  /// unless `known` is given.
  ///
  /// - Parameters:
  ///   - number: The number of the commit.
  ///   - changes: Its changes of the observed region.
  ///   - tables: Further tables that it has changed.
  ///   - known: The growth of the observed region at its beginning.
  ///   - isForeign: Whether it was found as a foreign commit.
  /// - Returns: The started work.
  mutating func commit(
    _ number: UInt64,
    _ changes: String,
    tables: [String] = [],
    at known: UInt64? = nil,
    isForeign: Bool = false
  ) -> String {
    let observed = DatabaseChanges(changes)
    var written = tables.map { TableName(schema: "main", name: $0) }
    if case .tables(let tables) = observed { written += tables.keys }
    var changes = CommittedChanges(
      observed: observed,
      writtenTables: written,
      growth: ObservationGeneration(known ?? growth)
    )
    if isForeign { changes.origin = .foreign(nil) }
    let (growth, time) = (ObservationGeneration(growth), nanoseconds)
    return text(
      machine.commitDidEnd(CommitNumber(number), changes, growth: growth, now: time)
    )
  }

  /// Takes the next batch.
  mutating func take() -> String {
    let time = nanoseconds
    return machine.takeBatch(now: time).map { $0.map(\.name).joined(separator: " ") } ?? "none"
  }

  /// Ends runs of queries in a snapshot, before anything is delivered.
  mutating func read(
    _ names: String,
    in number: UInt64,
    reads region: String,
    took milliseconds: UInt64 = 1,
    fails: Bool = false,
    patching tables: String = "",
    wasPatched: Bool = false,
    exactly isExact: Bool = true
  ) {
    let batch = queries(names)
    let run = QueryRun(
      region: DatabaseRegion(region),
      isExact: isExact,
      duration: milliseconds * 1_000_000,
      inputs: PatchInputs(
        rows: Set(tables.split(separator: " ").map { TableName(schema: "main", name: String($0)) })
      ),
      wasPatched: wasPatched
    )
    let time = nanoseconds
    let changes = machine.runsDidEnd(
      of: batch,
      batch.map { _ in Delivery(run: run, mustDeliver: true, hasFailed: fails) },
      in: CommitNumber(number),
      now: time
    )
    if changes.hasGrown { growth += 1 }
    machine.setGrowth(ObservationGeneration(growth), of: changes.queries)
  }

  /// Returns the rows that can patch a query in a snapshot, and since which run.
  func changedRows(_ name: String, upTo number: UInt64) -> String {
    let query = Query(name: name)
    guard let rows = machine.changedRows(of: [query], upTo: CommitNumber(number))[query.id] else {
      return "unknown"
    }
    let parts = rows.content.rows.filter { $0.value.count > 0 }.map { table, rows in
      guard case .rowIDs(let ids) = rows else { return "\(table.name) keys" }
      return ([table.name] + ids.sorted().map(String.init)).joined(separator: " ")
    }
    let text = parts.sorted().joined(separator: ", ")
    return "since \(rows.since.rawValue): \(text.isEmpty ? "none" : text)"
  }

  /// Ends the deliveries of runs.
  ///
  /// - Parameters:
  ///   - names: The queries.
  ///   - number: Their snapshot.
  ///   - kind: Which thread ran them.
  ///   - joined: The queries that have new subscribers.
  ///   - paced: The queries whose subscribers want no other value for a second.
  /// - Returns: The work of the caller.
  mutating func deliver(
    _ names: String,
    in number: UInt64,
    as kind: RunKind = .batch,
    joined: String = "",
    paced: String = ""
  ) -> String {
    let (batch, time) = (queries(names), nanoseconds)
    let aftermath = machine.deliveriesDidEnd(
      of: batch,
      in: CommitNumber(number),
      as: kind,
      now: time
    ) {
      paced.contains($0.name) ? 1_000_000_000 : nil
    } hasNewSubscribers: {
      joined.contains($0.name)
    }
    var parts = aftermath.lateDeliveries.map { "deliver \($0.query.name) up to \($0.number)" }
    parts += aftermath.rests.map { rest in
      let name = batch.first { $0.id == rest.id }?.name ?? ""
      return "\(name) rests until \(rest.end / 1000)"
    }
    let work = text(aftermath.work)
    if work != "nothing" { parts.append(work) }
    return self.joined(parts + aftermath.waiters.map { "resume \($0)" })
  }

  /// Ends runs of queries, and their deliveries.
  mutating func end(
    _ names: String,
    in number: UInt64,
    reads region: String = "t",
    took milliseconds: UInt64 = 1,
    fails: Bool = false,
    as kind: RunKind = .batch,
    exactly isExact: Bool = true
  ) -> String {
    read(names, in: number, reads: region, took: milliseconds, fails: fails, exactly: isExact)
    return deliver(names, in: number, as: kind)
  }

  mutating func endLateDeliveries(_ names: String) -> String {
    let batch = queries(names)
    return joined(machine.lateDeliveriesDidEnd(of: batch).map { "resume \($0)" })
  }

  mutating func refetch(_ name: String) -> String {
    let time = nanoseconds
    return text(machine.refetch(Query(name: name).id, now: time))
  }

  // MARK: Time

  /// Ends the rest of a query at a time.
  mutating func endRest(of name: String, at end: UInt64) -> String {
    let time = nanoseconds
    return text(machine.restDidEnd(of: Query(name: name).id, at: end * 1000, now: time))
  }

  mutating func schedule() -> String {
    let time = nanoseconds
    return text(machine.schedule(now: time))
  }

  /// When a runner without batches must let the next batch begin, in microseconds.
  mutating func planPauseEnd() -> UInt64? {
    let time = nanoseconds
    return machine.planPauseEnd(now: time).map { $0 / 1000 }
  }

  /// Ends the pause after runs.
  mutating func endPause() -> String {
    let time = nanoseconds
    return text(machine.pauseDidEnd(now: time))
  }

  mutating func retryFailed() -> String {
    let time = nanoseconds
    return text(machine.retryFailed(at: time))
  }

  /// Plans the next retry.
  ///
  /// - Returns: In how many seconds it is; `nil` when there is a timer, or nothing to try again.
  mutating func planRetry() -> UInt64? {
    let time = nanoseconds
    return machine.planRetry(after: time).map { ($0 - time) / 1_000_000_000 }
  }

  /// Whether a runner without work waits awake.
  mutating func waitsAwake() -> Bool {
    let time = nanoseconds
    return machine.beginWaiting(now: time)
  }

  // MARK: Text

  private func queries(_ names: String) -> [Query] {
    names.split(separator: " ").map { Query(name: String($0)) }
  }

  private func text(_ work: Machine.Work) -> String {
    var parts: [String] = []
    switch work.batch {
    case .none: break
    case .start: parts.append("batches")
    case .awaited: parts.append("wake")
    }
    parts += work.slow.map { "slow \($0.name)" } + work.first.map { "first \($0.name)" }
    if let end = work.pauseEnd { parts.append("pause until \(end / 1000)") }
    parts += work.released.map { "release \($0.name)" }
    return joined(parts)
  }

  private func joined(_ parts: [String]) -> String {
    parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
