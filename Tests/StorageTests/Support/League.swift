import Storage

/// The tables that the tests of requests use.
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

/// Runs a test in an access to a database in memory that holds the empty tables of ``League``.
@discardableResult
func withLeague<Result>(_ body: (Database) throws -> Result) throws -> Result {
  let queue = try DatabaseQueue()
  return try queue.writeWithoutTransaction { db in
    try db.execute(sql: League.schema)
    return try body(db)
  }
}
