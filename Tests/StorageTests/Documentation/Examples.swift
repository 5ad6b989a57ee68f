import Storage
import Testing

@testable import StorageTestSupport

/// The records, tables and values that the examples in doc comments use.
struct Examples {
  struct Player: Codable, Hashable, Identifiable, FetchableRecord, PersistableRecord {
    var id: Int64
    var name: String

    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
      static let email = Column("email")
      static let score = Column("score")
      static let bonus = Column("bonus")
      static let teamID = Column("teamID")
      static let team = Column("team")
      static let color = Column("color")
      static let height = Column("height")
      static let mask = Column("mask")
      static let info = JSONColumn("info")
      static let isActive = Column("isActive")
      static let createdAt = Column("createdAt")
    }
  }

  struct Team: TableRecord {
    enum Columns {
      static let id = Column("id")
      static let name = Column("name")
      static let color = Column("color")
    }
  }

  struct Citizenship: Codable, Hashable, FetchableRecord, TableRecord {
    var playerID: Int64
    var countryCode: String
  }

  /// A record whose columns are its properties.
  struct Book: Codable, FetchableRecord, TableRecord {
    var id: Int64
    var title: String
    var genre: String
    var price: Double?
    var isLent: Bool
  }

  struct Award: TableRecord {
    enum Columns { static let playerID = Column("playerID") }
  }

  struct Document: TableRecord {}

  static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, color TEXT);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY, name TEXT, email TEXT UNIQUE, score INTEGER, bonus INTEGER,
      teamID INTEGER REFERENCES team(id),
      team TEXT, color TEXT, height REAL, mask INTEGER, info TEXT, isActive BOOLEAN, createdAt DATETIME,
      nickname TEXT, other INTEGER, "limit" INTEGER, path TEXT, age INTEGER, content TEXT, rate TEXT,
      folder TEXT, domain TEXT, "order" INTEGER, creationDate DATETIME, a INTEGER, b INTEGER, c INTEGER
    );
    CREATE TABLE player_2026 (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
    CREATE TABLE archive (id INTEGER PRIMARY KEY, name TEXT, email TEXT);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, userID INTEGER);
    CREATE TABLE timestamps (id INTEGER PRIMARY KEY, createdAt DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, genre TEXT, price REAL, isLent BOOLEAN);
    CREATE TABLE award (playerID INTEGER);
    CREATE TABLE citizenship (
      playerID INTEGER, countryCode TEXT, PRIMARY KEY (playerID, countryCode)
    );
    CREATE TABLE "order" (id INTEGER PRIMARY KEY);
    CREATE VIRTUAL TABLE document USING fts5(content);
    INSERT INTO player (id, name, email) VALUES (1, 'Arthur', 'arthur@example.com');
    INSERT INTO citizenship VALUES (1, 'FR')
    """

  let db: Database
  let users = Table("users")
  let posts = Table("posts")
  let name = "O'Brien"
  let request = Player.all()
  let maximum = Player.select { max($0.score) }

  /// Runs examples on a database that holds the tables.
  static func run(_ body: (Examples) throws -> Void) throws {
    let queue = try DatabaseQueue()
    try queue.writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("regexp", argumentCount: 2) { _ in true })
      try db.execute(sql: schema)
      try body(Examples(db: db))
    }
  }

  /// Checks the SQL of a value, and that SQLite compiles it.
  func check(
    _ sql: String,
    _ example: Any,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func compile(_ literal: SQL, _ sql: String) throws {
      let statement = try db.makeStatement(literal: literal)
      expectSQL(statement, sql, sourceLocation: sourceLocation)
    }
    switch example {
    case let literal as SQL where sql.hasPrefix("SELECT"):
      try compile(literal, sql)
    case let request as any FetchRequest:
      let statement = try request.makePreparedRequest(db).statement
      expectSQL(statement, sql, sourceLocation: sourceLocation)
    case let expression as any SQLExpressible:
      try compile("SELECT \(expression.sqlExpression) FROM player", "SELECT \(sql) FROM player")
    case let ordering as any SQLOrderingTerm:
      try compile(
        "SELECT * FROM player ORDER BY \(ordering.sqlOrdering)",
        "SELECT * FROM player ORDER BY \(sql)"
      )
    case let selection as any SQLSelectable:
      try compile("SELECT \(selection.sqlSelection) FROM player", "SELECT \(sql) FROM player")
    default:
      Issue.record("\(example) is not SQL", sourceLocation: sourceLocation)
    }
  }

  /// Checks the SQL that a call runs. Its changes are undone.
  func run(
    _ sql: String,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ example: () throws -> Void
  ) throws {
    try db.execute(sql: "SAVEPOINT example")
    try expectSQL(db, sql, sourceLocation: sourceLocation, example)
    try db.execute(sql: "ROLLBACK TO example; RELEASE example")
  }
}
