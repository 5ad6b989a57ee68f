import Storage
import Testing

/// A schema change, and the statements that it must run.
struct SchemaCase: Sendable, CustomTestStringConvertible {
  let title: String
  let statements: [String]
  let change: @Sendable (Database) throws -> Void

  var testDescription: String { title }

  init(
    _ title: String,
    _ statements: String...,
    change: @escaping @Sendable (Database) throws -> Void
  ) {
    self.title = title
    self.statements = statements
    self.change = change
  }

  /// Checks the statements, in a database with tables that foreign keys can reference.
  func check() throws {
    try withParents { db in
      try expectDefinitions(db, statements) { try change(db) }
    }
  }
}

/// Runs a test in an access to an in-memory database with tables that foreign keys can reference.
@discardableResult
func withParents<Result>(_ body: (Database) throws -> Result) throws -> Result {
  try DatabaseQueue().writeWithoutTransaction { db in
    try db.execute(
      sql: """
        CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT);
        CREATE TABLE parents (c TEXT, d INTEGER, PRIMARY KEY (c, d));
        CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT);
        CREATE TABLE keyless (a TEXT);
        """
    )
    return try body(db)
  }
}
