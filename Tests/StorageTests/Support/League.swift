import Storage

/// The schema that the tests of requests use.
enum League {
  static let schema = """
    CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT NOT NULL, color TEXT);
    CREATE TABLE player (
      id INTEGER PRIMARY KEY,
      teamID INTEGER REFERENCES team(id),
      name TEXT NOT NULL,
      email TEXT UNIQUE,
      score INTEGER,
      bonus INTEGER,
      height REAL,
      mask INTEGER,
      isActive BOOLEAN,
      createdAt DATETIME,
      "order" TEXT
    );
    CREATE TABLE country (isoCode TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE citizenship (
      playerID INTEGER, countryCode TEXT, PRIMARY KEY (playerID, countryCode)
    );
    CREATE TABLE note (text TEXT);
    """
}

/// Runs a test in an access to an in-memory database with the empty tables of ``League``.
@discardableResult
func withLeague<Result>(_ body: (Database) throws -> Result) throws -> Result {
  let queue = try DatabaseQueue()
  return try queue.writeWithoutTransaction { db in
    try db.execute(sql: League.schema)
    return try body(db)
  }
}

struct Player: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var teamID: Int64?
  var name: String
  var email: String?
  var score: Int?

  enum Columns {
    static let id = Column("id")
    static let teamID = Column("teamID")
    static let name = Column("name")
    static let email = Column("email")
    static let score = Column("score")
    static let bonus = Column("bonus")
    static let height = Column("height")
    static let isActive = Column("isActive")
    static let createdAt = Column("createdAt")
  }

  static let arthur = Player(id: 1, teamID: 1, name: "Arthur", email: "a@x.com", score: 100)
  static let barbara = Player(id: 2, teamID: 1, name: "Barbara", email: nil, score: 1000)
  static let craig = Player(id: 3, teamID: 2, name: "Craig", email: "c@x.com", score: nil)
}

struct Team: Codable, Hashable, Sendable, Identifiable, FetchableRecord, PersistableRecord {
  var id: Int64
  var name: String
  var color: String?

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let color = Column("color")
  }
}

struct Country: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var isoCode: String
  var name: String
}

struct Citizenship: Codable, Hashable, Sendable, FetchableRecord, PersistableRecord {
  var playerID: Int64
  var countryCode: String
}

/// Runs a test in an access to an in-memory database with three players in two teams.
@discardableResult
func withPlayers<Result>(_ body: (Database) throws -> Result) throws -> Result {
  try withLeague { db in
    try Team(id: 1, name: "Reds", color: "red").insert(db)
    try Team(id: 2, name: "Blues", color: nil).insert(db)
    for player in [Player.arthur, .barbara, .craig] { try player.insert(db) }
    return try body(db)
  }
}
