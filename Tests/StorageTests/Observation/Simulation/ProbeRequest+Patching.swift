import WellspringSystem

@testable import Storage

extension ProbeRequest: PatchableRequest {
  /// The rows of its query, whose arguments are the same in each run.
  var request: SQLRequest<Row> {
    let query = probe.query ?? ("", [])
    return SQLRequest(sql: query.sql, arguments: StatementArguments(query.arguments))
  }

  func makePatcher() -> (any ValuePatcher<[String]>)? {
    guard probe.query != nil else { return nil }
    let rows = request
    switch probe.form {
    case .rows:
      let isOrdered = probe.isOrdered
      let patcher = ElementsPatcher(all: rows)
      return ProbePatcher(self, patcher, keepsPlaces: isOrdered) { rows in
        let texts = rows.map(\.asText)
        return isOrdered ? texts : texts.sorted()
      }
    case .first:
      return ProbePatcher(self, ElementsPatcher(of: FirstElement(rows))) { row in
        row.map { [$0.asText] } ?? []
      }
    case .count:
      return ProbePatcher(self, ElementsPatcher(countOf: rows)) { ["\($0)"] }
    }
  }
}

/// Patches the value of a probe, as the value of a request is patched.
private final class ProbePatcher<Patcher: ValuePatcher>: ValuePatcher {
  private let request: ProbeRequest
  private let patcher: Patcher
  /// Whether each text is the text of the row at the same place.
  private let keepsPlaces: Bool
  private let texts: @Sendable (Patcher.Value) -> [String]

  init(
    _ request: ProbeRequest,
    _ patcher: Patcher,
    keepsPlaces: Bool = false,
    _ texts: @escaping @Sendable (Patcher.Value) -> [String]
  ) {
    self.request = request
    self.patcher = patcher
    self.keepsPlaces = keepsPlaces
    self.texts = texts
  }

  var obstacle: PatchObstacle? { patcher.obstacle }

  var plan: (sql: String, description: String)? { patcher.plan }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<[String]> {
    request.noteRun()
    let fetch = try patcher.fetch(db, in: number, changed: changed)
    var keep: PatchedFetch<[String]>.Keep?
    if let keepRows = fetch.keep { keep = { _ in keepRows(nil) } }
    return PatchedFetch(
      value: texts(fetch.value),
      inputs: fetch.inputs,
      isUnchanged: fetch.isUnchanged,
      origin: keepsPlaces ? fetch.origin : nil,
      keep: keep
    )
  }
}
