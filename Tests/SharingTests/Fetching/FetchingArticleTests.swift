import Foundation
import Sharing
import SharingTestSupport
import Testing

/// The code of the article on fetching model data, in the article's order.
///
/// Two errors of the article are corrected: a missing parenthesis, and `fetch(db)` instead of
/// `fetchAll(db)`.
@Suite(.inMemoryDatabase(createArticleItems)) struct FetchingArticleTests {
  typealias Item = ArticleItem

  // MARK: Querying with SQL

  @Test func `SHR-01: all rows`() {
    @SharedReader(.fetchAll(sql: "SELECT * FROM items")) var items: [Item]
    #expect(items.map(\.title) == ["cup", "pot", "jug"])
  }

  @Test func `SHR-02: an ordering clause`() {
    @SharedReader(.fetchAll(sql: "SELECT * FROM items ORDER BY createdAt DESC"))
    var items: [Item]
    #expect(items.map(\.title) == ["jug", "pot", "cup"])
  }

  @Test func `SHR-05: an aggregate`() {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM items"))
    var itemsCount = 0
    #expect(itemsCount == 3)
  }

  @Test func `SHR-03: filtering logic`() {
    @SharedReader(
      .fetchAll(
        sql: """
          SELECT * FROM items
          WHERE NOT isInStock
          ORDER BY createdAt DESC
          """
      )
    )
    var outOfStockItems: [Item]
    #expect(outOfStockItems.map(\.title) == ["jug", "pot"])
  }

  @Test(.allowsFailures()) func `SHR-10: a typo in SQL is a run-time error`() {
    @SharedReader(
      .fetchAll(
        sql: """
          SELECT * FROM items
          WHERE NOT isInStock
          ORDER createdAt DESC
          """
      )
    )
    var outOfStockItems: [Item]
    #expect(outOfStockItems.isEmpty)
    #expect(
      ($outOfStockItems.loadError as? DatabaseError)?.message
        == #"near "createdAt": syntax error"#
    )
  }

  // MARK: Querying with a SQL builder

  @Test func `SHR-22: the builder's SQL`() throws {
    try testDatabase.read { db throws in
      let all = Item.all()
      #expect(try all.makePreparedRequest(db).statement.sql == #"SELECT * FROM "items""#)
      let query = Item.all()
        .filter(!Column("isInStock"))
        .order(Column("createdAt").desc)
      #expect(
        try query.makePreparedRequest(db).statement.sql
          == #"SELECT * FROM "items" WHERE NOT "isInStock" ORDER BY "createdAt" DESC"#
      )
    }
  }

  // The article says: "Unfortunately, one cannot use this query builder directly". Here it works.
  @Test func `SHR-11: the builder as a key`() {
    @SharedReader(.fetchAll(Item.all())) var items
    #expect(items.count == 3)
  }

  @Test func `SHR-13: a request that uses the builder`() {
    struct Items: FetchKeyRequest {
      func fetch(_ db: Database) throws -> [Item] {
        try Item.all()
          .filter(!Column("isInStock"))
          .order(Column("createdAt").desc)
          .fetchAll(db)
      }
    }
    @SharedReader(.fetch(Items())) var items
    #expect(items.map(\.title) == ["jug", "pot"])
  }

  // MARK: Multiple queries in a single transaction

  @Test func `SHR-18: two readers`() {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM items"))
    var itemsCount = 0

    @SharedReader(.fetchAll(sql: "SELECT * FROM items WHERE isInStock"))
    var inStockItems: [Item]
    #expect(itemsCount == 3)
    #expect(inStockItems.count == 1)
  }

  @Test func `SHR-15, SHR-16, SHR-17: a request with its own value type`() {
    struct Items: FetchKeyRequest {
      struct Value {
        var inStockItems: [Item] = []
        var itemsCount = 0
      }
      func fetch(_ db: Database) throws -> Value {
        try Value(
          inStockItems: Item.all().filter(Column("isInStock")).fetchAll(db),
          itemsCount: Item.fetchCount(db)
        )
      }
    }
    @SharedReader(.fetch(Items())) var items = Items.Value()
    #expect(items.inStockItems.map(\.title) == ["cup"])
    #expect(items.itemsCount == 3)
  }

  /// SHR-21: a model with a reader and a private request.
  final class Model {
    private struct Titles: FetchKeyRequest {
      func fetch(_ db: Database) throws -> [String] {
        try Item.select(Column("title"), as: String.self).fetchAll(db)
      }
    }
    @SharedReader(.fetch(Titles())) var titles
  }

  @Test func `SHR-20, SHR-21: in a class`() {
    #expect(Model().titles == ["cup", "pot", "jug"])
  }
}

struct ArticleItem: Codable, Equatable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "items"
  var title: String
  var isInStock: Bool
  var createdAt: Date
}

@Sendable func createArticleItems(_ db: Database) throws {
  try db.execute(
    sql: """
      CREATE TABLE items (title TEXT NOT NULL, isInStock INTEGER NOT NULL, createdAt TEXT NOT NULL)
      """
  )
  for (index, title) in ["cup", "pot", "jug"].enumerated() {
    let createdAt = Date(timeIntervalSince1970: Double(index))
    try ArticleItem(title: title, isInStock: title == "cup", createdAt: createdAt).insert(db)
  }
}
