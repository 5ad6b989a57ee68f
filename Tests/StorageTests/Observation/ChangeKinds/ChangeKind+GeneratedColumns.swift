extension ChangeKind {
  /// Changes of the columns from which generated columns are computed.
  static let generatedColumns: [ChangeKind] = [
    ChangeKind(
      name: "the base of a virtual generated column",
      schema: "CREATE TABLE g (a, b GENERATED ALWAYS AS (a * 2) VIRTUAL); INSERT INTO g VALUES (1)",
      query: "SELECT b FROM g",
      change: "UPDATE g SET a = 21"
    ),
    ChangeKind(
      name: "the base of a stored generated column",
      schema: "CREATE TABLE g (a, b GENERATED ALWAYS AS (a * 2) STORED); INSERT INTO g VALUES (1)",
      query: "SELECT b FROM g",
      change: "UPDATE g SET a = 21"
    ),
    ChangeKind(
      name: "a column behind a virtual generated column",
      schema: """
        CREATE TABLE g (b GENERATED ALWAYS AS (a * 2) VIRTUAL, a, c); INSERT INTO g VALUES (1, 2)
        """,
      query: "SELECT c FROM g",
      change: "UPDATE g SET c = 1"
    ),
    ChangeKind(
      name: "a column behind a virtual generated column and the key",
      schema: """
        CREATE TABLE g (b AS (a * 2) VIRTUAL, a, id INTEGER PRIMARY KEY, c, d);
        INSERT INTO g VALUES (1, 1, 2, 3)
        """,
      query: "SELECT c FROM g",
      change: "UPDATE g SET c = 1"
    ),
    ChangeKind(
      name: "a column behind a virtual generated column, WITHOUT ROWID",
      schema: """
        CREATE TABLE g (b GENERATED ALWAYS AS (a * 2) VIRTUAL, a, c, k PRIMARY KEY) WITHOUT ROWID;
        INSERT INTO g VALUES (1, 2, 'k')
        """,
      query: "SELECT c FROM g",
      change: "UPDATE g SET c = 1"
    ),
    ChangeKind(
      name: "the base of a generated column of a generated column",
      schema: """
        CREATE TABLE g (a, b AS (a * 2) STORED, c AS (b + 1) VIRTUAL); INSERT INTO g VALUES (1)
        """,
      query: "SELECT c FROM g WHERE rowid = 1",
      change: "UPDATE g SET a = 21"
    ),
    ChangeKind(
      name: "the base of an indexed generated column",
      schema: """
        CREATE TABLE g (a, b AS (a * 2) VIRTUAL); INSERT INTO g VALUES (1);
        CREATE INDEX g_on_b ON g (b)
        """,
      query: "SELECT count(*) FROM g WHERE b = 42",
      change: "UPDATE g SET a = 21"
    ),
    ChangeKind(
      name: "an added generated column",
      query: "SELECT * FROM t",
      change: "ALTER TABLE t ADD COLUMN c AS (b + 1) VIRTUAL"
    ),
  ]
}
