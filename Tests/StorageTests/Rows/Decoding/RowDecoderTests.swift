import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct RowDecoderTests {
  /// Stores the container from which it is decoded.
  final class Keeper: Decodable, FetchableRecord {
    enum CodingKeys: String, CodingKey { case id }
    let container: KeyedDecodingContainer<CodingKeys>

    init(from decoder: any Decoder) throws {
      container = try decoder.container(keyedBy: CodingKeys.self)
    }

    func id() throws -> Int { try container.decode(Int.self, forKey: .id) }
  }

  struct Item: Decodable, FetchableRecord, Equatable {
    var id: Int
    var name: String?
  }

  /// Reads its columns with keys of two types alternately.
  struct Split: Decodable, FetchableRecord, Equatable {
    enum First: String, CodingKey { case a }
    enum Second: String, CodingKey { case b }
    var values: [Int] = []

    init(values: [Int]) { self.values = values }

    init(from decoder: any Decoder) throws {
      for _ in 0..<2 {
        let first = try decoder.container(keyedBy: First.self)
        let second = try decoder.container(keyedBy: Second.self)
        values.append(try first.decode(Int.self, forKey: .a))
        values.append(try second.decode(Int.self, forKey: .b))
      }
    }
  }

  @Test func `a container that is used after the fetch stops with a message`() async throws {
    let result = try await #require(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let keepers = try withDatabase { try Keeper.fetchAll($0, sql: "SELECT 1 AS id") }
      // Another fetch reuses the memory of the first.
      _ = try withDatabase { db in
        let cursor = try Item.fetchCursor(db, sql: "SELECT 2 AS id")
        while try cursor.next() != nil { print(try keepers[0].id()) }
      }
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("used after its row had been decoded"))
  }

  @Test func `a record can fetch other records while it is decoded`() throws {
    struct Outer: Decodable, FetchableRecord {
      static nonisolated(unsafe) var inner: [Item] = []
      static nonisolated(unsafe) var db: Database?
      enum CodingKeys: String, CodingKey { case id, last }
      var id: Int
      var last: Int

      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(Int.self, forKey: .id)
        Self.inner += try Item.fetchAll(Self.db!, sql: "SELECT 5 AS id UNION SELECT 6")
        last = try container.decode(Int.self, forKey: .last)
      }
    }
    try withDatabase { db in
      Outer.db = db
      defer { Outer.db = nil }
      let outer = try Outer.fetchAll(db, sql: "SELECT 1 AS id, 2 AS last UNION SELECT 3, 4")
      #expect(outer.map(\.id) == [1, 3])
      #expect(outer.map(\.last) == [2, 4])
      #expect(Outer.inner.map(\.id) == [5, 6, 5, 6])
    }
  }

  @Test func `a record can use coding keys of several types`() throws {
    try withDatabase { db in
      let records = try Split.fetchAll(db, sql: "SELECT 1 AS a, 2 AS b UNION SELECT 3, 4")
      #expect(records == [Split(values: [1, 2, 1, 2]), Split(values: [3, 4, 3, 4])])
    }
  }

  @Test func `copies of rows are decoded on several threads concurrently`() async throws {
    let rows = try withDatabase { db in
      try Row.fetchAll(
        db,
        sql: """
          WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < 200)
          SELECT id, 'item ' || id AS name FROM n
          """
      )
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for (index, row) in rows.enumerated() {
            let item = try Item(row: row)
            #expect(item == Item(id: index + 1, name: "item \(index + 1)"))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
