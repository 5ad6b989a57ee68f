import Storage
import Testing

@testable import StorageTestSupport

extension FilteredRequest {
  fileprivate func scoring() -> Self { filter(sql: "score > 0") }
}

extension OrderedRequest where Self: TypedRequest {
  fileprivate func best() -> Self { order(sql: "score DESC") }
}

extension SelectionRequest where Self: AggregatingRequest & TableRequest & JoinableRequest {
  fileprivate func named() -> Self { select(sql: "name") }
}

struct DerivableRequestNamesTests {
  @Test func `Extensions of the protocols of GRDB extend all requests`() throws {
    try expectSQL(
      request: Player.all().scoring().best().named(),
      #"SELECT name FROM "player" WHERE score > 0 ORDER BY score DESC"#
    )
  }
}
