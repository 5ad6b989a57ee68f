internal import Dispatch
internal import Foundation
internal import Storage

extension ManyCommand.Trial {
  private static let creation =
    "CREATE TABLE counter (id INTEGER PRIMARY KEY, value INTEGER NOT NULL)"

  /// Makes a file with a table of counters. The members change the first counter.
  private static func makeFile(_ workspace: Workspace, count: Int) throws -> String {
    let path = try workspace.makeDatabase("counters") { try $0.execute(creation) }
    try DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT \(count))
          INSERT INTO counter SELECT id, 0 FROM n
          """
      )
    }
    return path
  }

  /// Processes that all write to one file, and one process that observes it.
  static let processes = Self(name: "processes") { workspace, scale, report in
    let count = max(2, 500 / scale)
    let commits = 10
    let path = try makeFile(workspace, count: 1)
    var configuration = Configuration()
    configuration.readonly = true
    let watcher = try DatabasePool(path: path, configuration: configuration)
    let arrivals = Arrivals()
    arrivals.expect(count * commits)
    let cancellable = ValueObservation.tracking { db in
      try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE id = 1") ?? 0
    }.start(
      in: watcher,
      onError: { fatalError("The observation failed: \($0)") },
      onChange: { arrivals.record($0) }
    )
    let members = try report.time("\(count) processes open the file") {
      let members = try (0..<count).map { _ in try ManyMember(path: path) }
      for member in members { _ = try member.answer() }
      return members
    }
    let memory = members.map { Peak.proportionalKilobytes(of: $0.id) }.reduce(0, +) / count
    report.add("memory of a process (shared pages in part)", "\(memory) kB")
    let descriptors = members.map { Peak.descriptors(of: $0.id) }.max() ?? 0
    report.add("file descriptors of a process", "\(descriptors)")
    let watch = Stopwatch()
    for member in members { try member.ask(commits) }
    let longest = try members.map { try $0.answer() }
    let seconds = watch.duration / .seconds(1)
    report.add(
      "\(count * commits) synced commits, \(commits) from each process",
      String(format: "%.2f s (%.0f a second)", seconds, Double(count * commits) / seconds)
    )
    report.add("longest commit", String(format: "%.2f s", longest.max()! / 1000))
    try report.time("the observation of another process has the last value after") {
      _ = try arrivals.wait(within: 60)
    }
    for member in members { member.askToEnd() }
    for member in members { member.waitForEnd() }
    cancellable.cancel()
    let value = try watcher.read { db in
      try Int.fetchOne(db, sql: "SELECT value FROM counter WHERE id = 1")
    }
    try ManyCommand.check(value == count * commits, "\(value ?? 0) of \(count * commits) commits")
  }

  /// Observations of different queries, while the process that writes is killed and started again.
  static let observations = Self(name: "observations") { workspace, scale, report in
    let count = 10_000 / scale
    let path = try makeFile(workspace, count: count)
    var configuration = Configuration()
    configuration.readonly = true
    let pool = try DatabasePool(path: path, configuration: configuration)
    var writer = try ManyMember(path: path)
    _ = try writer.answer()
    // Each query reads the first row, which the writer changes, and a row of its own.
    let states = States(count)
    let before = Peak.proportionalKilobytes(of: getpid())
    let descriptorsBefore = Peak.descriptors(of: getpid())
    let queue = DispatchQueue(label: "values")
    let cancellables = try report.time("\(count) observations have their first value") {
      let cancellables = (1...count).map { id in
        ValueObservation.tracking { db in
          try Int.fetchOne(
            db,
            sql: "SELECT sum(value) FROM counter WHERE id IN (1, ?)",
            arguments: [id]
          ) ?? -1
        }.start(
          in: pool,
          scheduling: .async(onQueue: queue),
          onError: { _ in states.fail() },
          onChange: { states.set(id - 1, $0) }
        )
      }
      try states.wait(for: 0)
      return cancellables
    }
    let memory = Peak.proportionalKilobytes(of: getpid()) - before
    report.add(
      "memory of an observation",
      String(format: "%.1f kB", Double(memory) / Double(count))
    )
    report.add(
      "file descriptors of all of them",
      "\(Peak.descriptors(of: getpid()) - descriptorsBefore)"
    )
    var value = 0
    func commit(_ what: String) throws {
      value += 1
      let processor = Duration.processorTime
      try report.time(what) {
        try writer.ask(1)
        try states.wait(for: value)
      }
      report.add("… processor time", .processorTime - processor)
    }
    try commit("a commit of another process, until all \(count) have the value")
    try report.time("the writer is killed, and another one has opened the file") {
      writer.kill()
      writer = try ManyMember(path: path)
      _ = try writer.answer()
    }
    try commit("its first commit, until all have the value")
    try commit("its second commit")
    report.add("errors that observations were given", "\(states.failures)")
    report.time("all observations end") { for cancellable in cancellables { cancellable.cancel() } }
  }

  /// The last values of many observations.
  private final class States: @unchecked Sendable {
    // The condition guards all properties.
    private let condition = NSCondition()
    private var values: [Int]
    private var awaited: Int?
    /// How many values are not the awaited one.
    private var missing = 0
    private var failureCount = 0

    init(_ count: Int) { values = Array(repeating: -1, count: count) }

    var failures: Int { condition.withLock { failureCount } }

    func fail() { condition.withLock { failureCount += 1 } }

    func set(_ index: Int, _ value: Int) {
      condition.withLock {
        if value == awaited { missing -= 1 }
        values[index] = value
        if missing == 0 { condition.signal() }
      }
    }

    /// Waits until all have a value.
    func wait(for value: Int) throws {
      let deadline = Date(timeIntervalSinceNow: 600)
      condition.lock()
      defer { condition.unlock() }
      awaited = value
      missing = values.count { $0 != value }
      while missing > 0 {
        guard condition.wait(until: deadline) else { throw Overdue(what: "value \(value)") }
      }
    }
  }
}
