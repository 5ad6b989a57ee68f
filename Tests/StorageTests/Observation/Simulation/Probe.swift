import Foundation
import Storage
import WellspringPlatform

/// What an observer fetches: it can be run on the library's connections and on the reference.
struct Probe: Sendable {
  /// The part of a table that a probe may depend on.
  struct Part: Sendable {
    /// `nil` for all columns.
    var columns: Set<String>?
    /// `nil` for all rows.
    var rows: Set<Int64>?
    /// The column by which rows are looked up.
    var key: String?
  }

  let description: String
  /// What the result can depend on, as far as SQLite lets the library know; `nil` for everything.
  let parts: [TableReference: Part]?
  let run: @Sendable (any SQLSource) throws -> [String]
  /// How often an observation has run it.
  var fetches = FetchCount()
  /// Whether observations take their time to run it.
  var dawdles = false

  init(
    _ description: String,
    parts: [TableReference: Part]?,
    run: @escaping @Sendable (any SQLSource) throws -> [String]
  ) {
    self.description = description
    self.parts = parts
    self.run = run
  }

  /// A probe of one query.
  init(_ sql: String, _ arguments: [Int64] = [], parts: [TableReference: Part]?) {
    description = arguments.isEmpty ? sql : "\(sql) \(arguments)"
    self.parts = parts
    run = { source in try source.rows(sql, arguments) }
  }

  /// A probe that runs others one after the other.
  init(all probes: [Probe]) {
    description = probes.map(\.description).joined(separator: "; ")
    parts = Self.union(probes.map(\.parts))
    run = { source in
      var rows: [String] = []
      for probe in probes { rows += try probe.run(source) + ["-"] }
      return rows
    }
  }

  /// A probe that runs one or another, as the first says.
  init(if condition: Probe, then first: Probe, else second: Probe) {
    description = "if \(condition.description) then \(first.description) else \(second.description)"
    parts = Self.union([condition.parts, first.parts, second.parts])
    run = { source in
      let rows = try condition.run(source)
      let isTrue = !rows.isEmpty && rows != ["0"]
      return rows + (try isTrue ? first.run(source) : second.run(source))
    }
  }

  private static func union(_ all: [[TableReference: Part]?]) -> [TableReference: Part]? {
    var union: [TableReference: Part] = [:]
    for parts in all {
      guard let parts else { return nil }
      union.merge(parts) { left, right in
        Part(
          columns: left.columns.flatMap { columns in right.columns.map(columns.union) },
          rows: left.key == right.key
            ? left.rows.flatMap { rows in right.rows.map(rows.union) } : nil,
          key: left.key
        )
      }
    }
    return union
  }
}

/// Counts runs, on whatever thread.
final class FetchCount: Sendable {
  // Guards the count.
  private let count = Lock(0)

  var value: Int { count.withLock { $0 } }
  func increment() { count.withLock { $0 += 1 } }
}

/// A probe with an identity: equal ones are one observation.
struct ProbeRequest: ObservationRequest {
  let probe: Probe

  func fetch(_ db: Database) throws -> [String] {
    probe.fetches.increment()
    // The next batch then begins at any moment of what is done meanwhile.
    if probe.dawdles { Thread.sleep(forTimeInterval: 0.001) }
    return try probe.run(db)
  }

  static func == (left: ProbeRequest, right: ProbeRequest) -> Bool {
    left.probe.description == right.probe.description
  }

  func hash(into hasher: inout Hasher) { hasher.combine(probe.description) }
}
