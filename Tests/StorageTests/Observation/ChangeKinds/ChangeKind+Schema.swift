extension ChangeKind {
  /// Changes of the schema and of the file's header.
  static let schemas: [ChangeKind] = [
    ChangeKind(
      name: "added column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t ADD COLUMN extra DEFAULT 'e'"
    ),
    ChangeKind(
      name: "renamed column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t RENAME COLUMN b TO renamed"
    ),
    ChangeKind(
      name: "a dropped column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t DROP COLUMN b"
    ),
    ChangeKind(
      name: "dropped and created table",
      query: "SELECT * FROM t",
      change: "DROP TABLE t; CREATE TABLE t AS SELECT 5 AS id, 'five' AS a"
    ),
    ChangeKind(
      name: "a table that takes the place of another",
      schema:
        "CREATE TABLE other (id INTEGER PRIMARY KEY, a); INSERT INTO other VALUES (1, 'other')",
      query: "SELECT a FROM t",
      change: "ALTER TABLE t RENAME TO old; ALTER TABLE other RENAME TO t"
    ),
    ChangeKind(
      name: "a view that replaces another",
      schema: "CREATE VIEW v AS SELECT a FROM t",
      query: "SELECT * FROM v",
      change: "DROP VIEW v; CREATE VIEW v AS SELECT b FROM t"
    ),
    ChangeKind(
      name: "the list of tables",
      query: "SELECT name FROM sqlite_master ORDER BY name",
      change: "CREATE TABLE another (x)"
    ),
    ChangeKind(
      name: "user_version",
      query: "SELECT user_version FROM pragma_user_version",
      change: "PRAGMA user_version = 7"
    ),
    ChangeKind(
      name: "the columns of a table",
      query: "SELECT name FROM pragma_table_info('t')",
      change: "ALTER TABLE t ADD COLUMN extra"
    ),
    ChangeKind(
      name: "a pragma that counts pages",
      query: "SELECT page_count FROM pragma_page_count",
      change: "INSERT INTO t (a) VALUES (zeroblob(10000))"
    ),
  ]
}
