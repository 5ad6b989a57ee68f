import Foundation
import Sharing
import SharingTestSupport
import Testing

/// The code of the article on fetching model data, in its order, corrected where it does not compile: a
/// missing parenthesis, and `fetch(db)` for `fetchAll(db)`.
@Suite(.inMemoryDatabase(createArticleItems)) struct FetchingArticleTests {
  typealias Item = ArticleItem

  // MARK: Querying with SQL

  @Test("SHR-01: all rows") func allRows() {
    @SharedReader(.fetchAll(sql: "SELECT * FROM items")) var items: [Item]
    #expect(items.map(\.title) == ["cup", "pot", "jug"])
  }

  @Test("SHR-02: an ordering clause") func ordering() {
    @SharedReader(.fetchAll(sql: "SELECT * FROM items ORDER BY createdAt DESC"))
    var items: [Item]
    #expect(items.map(\.title) == ["jug", "pot", "cup"])
  }

  @Test("SHR-05: an aggregate") func aggregate() {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM items"))
    var itemsCount = 0
    #expect(itemsCount == 3)
  }

  @Test("SHR-03: filtering logic") func filtering() {
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

  @Test("SHR-10: a typo compiles, and is a run-time error") func typo() {
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

  @Test("SHR-22: the builder's SQL") func builder() throws {
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

  // The article: "Unfortunately, one cannot use this query builder directly". Here one can.
  @Test("SHR-11: the builder as a key") func builderAsKey() {
    @SharedReader(.fetchAll(Item.all())) var items
    #expect(items.count == 3)
  }

  @Test("SHR-13: a request that uses the builder") func request() {
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

  @Test("SHR-18: two readers") func twoReaders() {
    @SharedReader(.fetchOne(sql: "SELECT count(*) FROM items"))
    var itemsCount = 0

    @SharedReader(.fetchAll(sql: "SELECT * FROM items WHERE isInStock"))
    var inStockItems: [Item]
    #expect(itemsCount == 3)
    #expect(inStockItems.count == 1)
  }

  @Test("SHR-15, SHR-16, SHR-17: a request with a value of its own") func severalQueries() {
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

  /// SHR-21: a model with readers, and a request that is its own business.
  final class Model {
    private struct Titles: FetchKeyRequest {
      func fetch(_ db: Database) throws -> [String] {
        try Item.select(Column("title"), as: String.self).fetchAll(db)
      }
    }
    @SharedReader(.fetch(Titles())) var titles
  }

  @Test("SHR-20, SHR-21: in a class") func inAClass() {
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
