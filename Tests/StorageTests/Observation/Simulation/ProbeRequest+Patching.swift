import WellspringPlatform

@testable import Storage

extension ProbeRequest: PatchableRequest {
  func makePatcher() -> (any ValuePatcher<[String]>)? {
    probe.query.map { ProbePatcher(self, $0.sql, $0.arguments) }
  }
}

/// Patches the rows of a probe, as the elements of a request are patched.
private final class ProbePatcher: ValuePatcher {
  private let request: ProbeRequest
  private let rows: PatchingFetcher<ElementsRule<SQLRequest<Row>, Row, [Row]>>

  init(_ request: ProbeRequest, _ sql: String, _ arguments: [Int64]) {
    self.request = request
    rows = PatchingFetcher(
      ElementsRule(all: SQLRequest(sql: sql, arguments: StatementArguments(arguments)))
    )
  }

  var obstacle: PatchObstacle? { rows.obstacle }

  func fetch(
    _ db: Database,
    in number: CommitNumber,
    changed: ChangedRows?
  ) throws -> PatchedFetch<[String]> {
    request.noteRun()
    let fetch = try rows.fetch(db, in: number, changed: changed)
    let texts = fetch.value.map(\.asText)
    return PatchedFetch(
      value: request.probe.isOrdered ? texts : texts.sorted(),
      table: fetch.table,
      isUnchanged: fetch.isUnchanged,
      keep: fetch.keep
    )
  }
}
