extension ChangeKind {
  /// Changes of `WITHOUT ROWID` tables, which the update hook does not report.
  static let withoutRowID: [ChangeKind] = [
    ChangeKind(
      name: "WITHOUT ROWID",
      schema: "CREATE TABLE w (k TEXT PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('a', 1)",
      query: "SELECT v FROM w WHERE k = 'a'",
      change: "UPDATE w SET v = 2"
    ),
    ChangeKind(
      name: "REPLACE in a table WITHOUT ROWID",
      schema: """
        CREATE TABLE w (k PRIMARY KEY, u UNIQUE) WITHOUT ROWID;
        INSERT INTO w VALUES ('a', 1), ('b', 2)
        """,
      query: "SELECT k FROM w WHERE k = 'a'",
      change: "REPLACE INTO w VALUES ('c', 1)"
    ),
    ChangeKind(
      name: "a changed key of a table WITHOUT ROWID",
      schema: "CREATE TABLE w (v, k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES (1, 'a')",
      query: "SELECT v FROM w WHERE k = 'z'",
      change: "UPDATE w SET k = 'z'"
    ),
  ]
}
