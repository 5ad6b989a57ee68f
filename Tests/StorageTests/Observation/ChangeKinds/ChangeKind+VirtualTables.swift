extension ChangeKind {
  /// Changes of full-text indexes and R-trees.
  static let virtualTables: [ChangeKind] = [
    ChangeKind(
      name: "full-text index",
      schema: "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('one')",
      query: "SELECT x FROM f WHERE f MATCH 'two'",
      change: "INSERT INTO f VALUES ('two')"
    ),
    ChangeKind(
      name: "a row deleted from a full-text index",
      schema: "CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES ('one')",
      query: "SELECT count(*) FROM f WHERE f MATCH 'one'",
      change: "DELETE FROM f"
    ),
    ChangeKind(
      name: "full-text index with external content",
      schema: """
        CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='id');
        INSERT INTO f(f) VALUES ('rebuild')
        """,
      query: "SELECT a FROM f WHERE f MATCH 'one'",
      change: "UPDATE t SET a = 'seen in the content table' WHERE id = 1"
    ),
    ChangeKind(
      name: "a full-text index maintained by triggers",
      schema: """
        CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='id');
        INSERT INTO f (f) VALUES ('rebuild');
        CREATE TRIGGER tr AFTER INSERT ON t
          BEGIN INSERT INTO f (rowid, a) VALUES (new.id, new.a); END
        """,
      query: "SELECT rowid FROM f WHERE f MATCH 'three'",
      change: "INSERT INTO t VALUES (3, 'three', 3)"
    ),
    ChangeKind(
      name: "a full-text index without content",
      schema: "CREATE VIRTUAL TABLE f USING fts5(x, content=''); INSERT INTO f VALUES ('one')",
      query: "SELECT rowid FROM f WHERE f MATCH 'two'",
      change: "INSERT INTO f (rowid, x) VALUES (7, 'two')"
    ),
    ChangeKind(
      name: "full-text index of FTS4",
      schema: "CREATE VIRTUAL TABLE f USING fts4(x); INSERT INTO f VALUES ('one')",
      query: "SELECT x FROM f WHERE f MATCH 'two'",
      change: "UPDATE f SET x = 'two'"
    ),
    ChangeKind(
      name: "a row deleted from a full-text index of FTS3",
      schema: "CREATE VIRTUAL TABLE f USING fts3(x); INSERT INTO f VALUES ('one')",
      query: "SELECT count(*) FROM f",
      change: "DELETE FROM f WHERE x MATCH 'one'"
    ),
    ChangeKind(
      name: "R-tree",
      schema: "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 1)",
      query: "SELECT id FROM r WHERE x0 < 5",
      change: "INSERT INTO r VALUES (2, 3, 4)"
    ),
    ChangeKind(
      name: "a moved box of an R-tree",
      schema: "CREATE VIRTUAL TABLE r USING rtree(id, x0, x1); INSERT INTO r VALUES (1, 0, 1)",
      query: "SELECT count(*) FROM r WHERE x0 < 5",
      change: "UPDATE r SET x0 = 7, x1 = 8"
    ),
  ]
}
