extension ChangeKind {
  /// Changes in an attached file.
  static let attachedDatabases: [ChangeKind] = [
    ChangeKind(
      name: "an insert into an attached file",
      attached: "CREATE TABLE x (id INTEGER PRIMARY KEY, a)",
      query: "SELECT a FROM aux.x",
      change: "INSERT INTO aux.x VALUES (1, 'one')"
    ),
    ChangeKind(
      name: "a row of an attached file",
      attached: "CREATE TABLE x (id INTEGER PRIMARY KEY, a); INSERT INTO x VALUES (1, 'one')",
      query: "SELECT a FROM x WHERE id = 1",
      change: "UPDATE x SET a = 'new' WHERE id = 1"
    ),
    ChangeKind(
      name: "the number of rows of an attached file",
      attached: "CREATE TABLE x (a); INSERT INTO x VALUES (1)",
      query: "SELECT count(*) FROM x",
      change: "INSERT INTO x VALUES (2)"
    ),
    ChangeKind(
      name: "a table of the same name in an attached file",
      attached: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one')",
      query: "SELECT a FROM aux.t",
      change: "UPDATE aux.t SET a = 'new'"
    ),
    ChangeKind(
      name: "both files, joined by name",
      attached: "CREATE TABLE y (id INTEGER PRIMARY KEY, c); INSERT INTO y VALUES (1, 'one')",
      query: "SELECT count(*) FROM t JOIN aux.y USING (id)",
      change: "UPDATE aux.y SET id = 50"
    ),
    ChangeKind(
      name: "a table created in an attached file",
      attached: "CREATE TABLE x (a)",
      query: "SELECT name FROM aux.sqlite_master",
      change: "CREATE TABLE aux.made (a)"
    ),
    ChangeKind(
      name: "a table of the main file with a namesake in an attached file",
      attached: "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'one')",
      query: "SELECT a FROM t",
      change: "UPDATE t SET a = 'new' WHERE id = 1"
    ),
    ChangeKind(
      name: "a blob of an attached file, written in place",
      attached: "CREATE TABLE x (id INTEGER PRIMARY KEY, b); INSERT INTO x VALUES (1, x'0000')",
      query: "SELECT b FROM aux.x",
      change: .blob(schema: "aux", table: "x", column: "b", row: 1)
    ),
  ]
}
