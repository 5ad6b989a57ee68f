extension ChangeKind {
  /// Statements that change rows of one table.
  static let rows: [ChangeKind] = [
    ChangeKind(
      name: "insert",
      query: "SELECT * FROM t",
      change: "INSERT INTO t VALUES (9, 'x', 1)"
    ),
    ChangeKind(
      name: "insert from a query",
      query: "SELECT count(*) FROM t",
      change: "INSERT INTO t SELECT id + 10, a, b FROM t"
    ),
    ChangeKind(
      name: "rows inserted before one that fails",
      query: "SELECT count(*) FROM t",
      change: "INSERT OR IGNORE INTO t VALUES (3, 'c', 3), (1, 'again', 1), (4, 'd', 4)"
    ),
    ChangeKind(
      name: "update",
      query: "SELECT a FROM t",
      change: "UPDATE t SET a = 'new' WHERE id = 1"
    ),
    ChangeKind(
      name: "update from a query",
      schema: "CREATE TABLE source (id, a); INSERT INTO source VALUES (2, 'joined')",
      query: "SELECT a FROM t",
      change: "UPDATE t SET a = source.a FROM source WHERE source.id = t.id"
    ),
    ChangeKind(
      name: "delete",
      query: "SELECT count(*) FROM t",
      change: "DELETE FROM t WHERE id = 1"
    ),
    ChangeKind(
      name: "delete without WHERE",
      query: "SELECT count(*) FROM t",
      change: "DELETE FROM t"
    ),
    ChangeKind(
      name: "a statement that returns rows",
      query: "SELECT count(*) FROM t",
      change: "DELETE FROM t WHERE id = 1 RETURNING id"
    ),
    ChangeKind(
      name: "a common table expression",
      query: "SELECT count(*) FROM t",
      change: "WITH c AS (SELECT 30 AS id) INSERT INTO t SELECT id, 'c', 0 FROM c"
    ),
    ChangeKind(
      name: "upsert",
      query: "SELECT b FROM t",
      change: "INSERT INTO t VALUES (1, 'a', 7) ON CONFLICT (id) DO UPDATE SET b = excluded.b"
    ),
    ChangeKind(
      name: "rows removed by REPLACE",
      schema: "CREATE TABLE u (id INTEGER PRIMARY KEY, k UNIQUE); INSERT INTO u VALUES (1, 'k')",
      query: "SELECT id FROM u WHERE id = 1",
      change: "REPLACE INTO u VALUES (2, 'k')"
    ),
    ChangeKind(
      name: "rows removed by UPDATE OR REPLACE",
      schema: """
        CREATE TABLE u (id INTEGER PRIMARY KEY, k UNIQUE);
        INSERT INTO u VALUES (1, 'k'), (2, 'l')
        """,
      query: "SELECT id FROM u WHERE id = 1",
      change: "UPDATE OR REPLACE u SET k = 'k' WHERE id = 2"
    ),
    ChangeKind(
      name: "a changed row id",
      query: "SELECT a FROM t WHERE id = 1",
      change: "UPDATE t SET id = 100 WHERE id = 1"
    ),
    ChangeKind(
      name: "a row that takes a looked-up row id",
      query: "SELECT a FROM t WHERE id = 100",
      change: "UPDATE t SET id = 100 WHERE id = 1"
    ),
    ChangeKind(
      name: "a looked-up row id given as text",
      query: "SELECT a FROM t WHERE id = '1'",
      change: "UPDATE t SET a = 'by text' WHERE id = 1"
    ),
    ChangeKind(
      name: "a looked-up row among too many to remember",
      schema: """
        CREATE TABLE many (id INTEGER PRIMARY KEY, a);
        INSERT INTO many WITH RECURSIVE c (id) AS
          (SELECT 1 UNION ALL SELECT id + 1 FROM c WHERE id < 2000) SELECT id, 0 FROM c
        """,
      query: "SELECT a FROM many WHERE id = 1999",
      change: "UPDATE many SET a = 1"
    ),
    ChangeKind(
      name: "the sequence of AUTOINCREMENT, without a row",
      schema: "CREATE TABLE s (id INTEGER PRIMARY KEY AUTOINCREMENT, x)",
      query: "SELECT seq FROM sqlite_sequence WHERE name = 's'",
      change: "INSERT INTO s (x) SELECT 1 WHERE 0"
    ),
    ChangeKind(
      name: "the sequence of AUTOINCREMENT, with a row",
      schema: "CREATE TABLE s (id INTEGER PRIMARY KEY AUTOINCREMENT, x)",
      query: "SELECT seq FROM sqlite_sequence WHERE name = 's'",
      change: "INSERT INTO s (x) VALUES (1)"
    ),
    ChangeKind(
      name: "a subquery",
      query: "SELECT 1 WHERE EXISTS (SELECT 1 FROM t WHERE b = 99)",
      change: "UPDATE t SET b = 99 WHERE id = 1"
    ),
    ChangeKind(
      name: "NULL in a column added with a default",
      schema: "ALTER TABLE t ADD COLUMN c DEFAULT 5",
      query: "SELECT c FROM t",
      change: "UPDATE t SET c = NULL"
    ),
    ChangeKind(
      name: "a released savepoint",
      query: "SELECT a FROM t",
      change: "SAVEPOINT s; UPDATE t SET a = 'kept'; RELEASE s"
    ),
    ChangeKind(
      name: "a savepoint that is partly rolled back",
      query: "SELECT a FROM t",
      change: """
        SAVEPOINT s; UPDATE t SET a = 'kept' WHERE id = 1; SAVEPOINT i; UPDATE t SET b = 9;
        ROLLBACK TO i; RELEASE i; RELEASE s
        """
    ),
    ChangeKind(
      name: "a blob written in place",
      schema: "CREATE TABLE data (id INTEGER PRIMARY KEY, b); INSERT INTO data VALUES (1, x'0000')",
      query: "SELECT b FROM data",
      change: .blob(table: "data", column: "b", row: 1)
    ),
    ChangeKind(
      name: "a blob of a looked-up row, written in place",
      schema: "CREATE TABLE data (id INTEGER PRIMARY KEY, b); INSERT INTO data VALUES (1, x'0000')",
      query: "SELECT b FROM data WHERE id = 1",
      change: .blob(table: "data", column: "b", row: 1)
    ),
    ChangeKind(
      name: "a changeset that updates",
      query: "SELECT a FROM t",
      change: .changeset("UPDATE t SET a = 'sent' WHERE id = 1")
    ),
    ChangeKind(
      name: "a changeset that inserts and deletes",
      query: "SELECT id FROM t",
      change: .changeset("INSERT INTO t VALUES (3, 'c', 3); DELETE FROM t WHERE id = 1")
    ),
  ]
}
