import Foundation
import Storage
import WellspringSystem

/// A fetch that runs both on the library's connections and on the reference connection.
struct Probe: Sendable {
  /// The part of a table that a probe may depend on.
  struct Part: Sendable {
    /// `nil` for all columns.
    var columns: Set<String>?
    /// `nil` for all rows.
    var rows: Set<Int64>?
    /// The column that `rows` refers to.
    var key: String?
    /// Whether the rows are only counted, so that no index of the table matters.
    var isCounted = false
    /// A condition that rows meet if the probe depends on them; `nil` for all rows.
    var condition: String?
  }

  /// The value that is made of the rows of a query.
  enum Form: CaseIterable {
    case rows
    case first
    case count

    func texts(of rows: [String]) -> [String] {
      switch self {
      case .rows: rows
      case .first: Array(rows.prefix(1))
      case .count: ["\(rows.count)"]
      }
    }
  }

  let description: String
  /// The tables and parts that the result depends on, as precisely as the library can find out from
  /// SQLite; `nil` for everything.
  let parts: [TableReference: Part]?
  let run: @Sendable (any SQLSource) throws -> [String]
  /// The number of times that observations have run the probe.
  var fetches = FetchCount()
  /// Whether its only row is made of a number of rows: an equal row must not be delivered.
  var isNumber = false
  /// Whether observations run it slowly.
  var isSlow = false
  /// The query, if it is a single one.
  private(set) var query: (sql: String, arguments: [Int64])?
  /// Whether its rows have an order.
  private(set) var isOrdered = false
  /// The value that is made of its rows.
  private(set) var form = Form.rows

  init(
    _ description: String,
    parts: [TableReference: Part]?,
    run: @escaping @Sendable (any SQLSource) throws -> [String]
  ) {
    self.description = description
    self.parts = parts
    self.run = run
  }

  /// Creates a probe of one query.
  ///
  /// - Parameters:
  ///   - sql: The query.
  ///   - arguments: Its arguments.
  ///   - parts: The tables and parts that it depends on.
  ///   - isOrdered: Whether the query always returns its rows in the same order.
  ///   - form: The value that is made of its rows.
  init(
    _ sql: String,
    _ arguments: [Int64] = [],
    parts: [TableReference: Part]?,
    isOrdered: Bool = false,
    form: Form = .rows
  ) {
    let prefix = form == .rows ? "" : "\(form) of "
    description = prefix + (arguments.isEmpty ? sql : "\(sql) \(arguments)")
    self.form = form
    self.parts = parts
    query = (sql, arguments)
    self.isOrdered = isOrdered
    run = { source in
      let rows = try source.orderedRows(sql, arguments)
      return form.texts(of: isOrdered ? rows : rows.sorted())
    }
  }

  /// Creates a probe of a query with associated rows.
  init(_ query: AssociatedQuery, parts: [TableReference: Part]?) {
    description = query.description
    self.parts = parts
    run = { source in try source.rows(query) }
  }

  /// Creates a probe that runs several probes in turn.
  init(all probes: [Probe]) {
    description = probes.map(\.description).joined(separator: "; ")
    parts = Self.union(probes.map(\.parts))
    run = { source in
      var rows: [String] = []
      for probe in probes { rows += try probe.run(source) + ["-"] }
      return rows
    }
  }

  /// Creates a probe that runs one of two probes, depending on a condition.
  init(if condition: Probe, then first: Probe, else second: Probe) {
    description = "if \(condition.description) then \(first.description) else \(second.description)"
    parts = Self.union([condition.parts, first.parts, second.parts])
    run = { source in
      let rows = try condition.run(source)
      let isTrue = !rows.isEmpty && rows != ["0"]
      return rows + (try isTrue ? first.run(source) : second.run(source))
    }
  }

  static func union(_ all: [[TableReference: Part]?]) -> [TableReference: Part]? {
    var union: [TableReference: Part] = [:]
    for parts in all {
      guard let parts else { return nil }
      union.merge(parts) { left, right in
        Part(
          columns: left.columns.flatMap { columns in right.columns.map(columns.union) },
          rows: left.key == right.key
            ? left.rows.flatMap { rows in right.rows.map(rows.union) } : nil,
          key: left.key,
          isCounted: left.isCounted && right.isCounted,
          condition: left.condition == right.condition ? left.condition : nil
        )
      }
    }
    return union
  }
}

/// Counts runs on any thread.
final class FetchCount: Sendable {
  // Guards the count.
  private let count = Lock(0)

  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}

/// A probe as a request: observations of equal probes are shared.
struct ProbeRequest: ObservationRequest {
  let probe: Probe

  func fetch(_ db: Database) throws -> [String] {
    noteRun()
    return try probe.run(db)
  }

  /// Counts a run, which may be a patch.
  func noteRun() {
    probe.fetches.increment()
    // The delay lets the next batch begin at any point of the actions that run meanwhile.
    if probe.isSlow { Thread.sleep(forTimeInterval: 0.001) }
  }

  static func == (left: ProbeRequest, right: ProbeRequest) -> Bool {
    left.probe.description == right.probe.description
  }

  func hash(into hasher: inout Hasher) { hasher.combine(probe.description) }
}
