extension ChangeKind {
  /// Changes that reach other tables and views, and changes under joins whose columns SQLite does
  /// not report.
  static let reaching: [ChangeKind] = [
    ChangeKind(
      name: "trigger",
      schema: """
        CREATE TABLE log (x);
        CREATE TRIGGER tr AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.a); END
        """,
      query: "SELECT count(*) FROM log",
      change: "UPDATE t SET a = 'z' WHERE id = 1"
    ),
    ChangeKind(
      name: "a chain of triggers",
      schema: """
        CREATE TABLE first (x); CREATE TABLE second (x);
        CREATE TRIGGER one AFTER UPDATE ON t BEGIN INSERT INTO first VALUES (new.a); END;
        CREATE TRIGGER two AFTER INSERT ON first BEGIN INSERT INTO second VALUES (new.x); END
        """,
      query: "SELECT count(*) FROM second",
      change: "UPDATE t SET a = 'z' WHERE id = 1"
    ),
    ChangeKind(
      name: "a chain of five triggers",
      schema: """
        CREATE TABLE a1 (x); CREATE TABLE a2 (x); CREATE TABLE a3 (x); CREATE TABLE a4 (x);
        CREATE TABLE a5 (x);
        CREATE TRIGGER r1 BEFORE UPDATE ON t BEGIN INSERT INTO a1 VALUES (new.a); END;
        CREATE TRIGGER r2 AFTER INSERT ON a1 BEGIN INSERT INTO a2 VALUES (new.x); END;
        CREATE TRIGGER r3 BEFORE INSERT ON a2 BEGIN INSERT INTO a3 VALUES (new.x); END;
        CREATE TRIGGER r4 AFTER INSERT ON a3 BEGIN INSERT INTO a4 VALUES (new.x); END;
        CREATE TRIGGER r5 AFTER INSERT ON a4 BEGIN INSERT INTO a5 VALUES (new.x); END
        """,
      query: "SELECT * FROM a5",
      change: "UPDATE t SET a = 'z' WHERE id = 1"
    ),
    ChangeKind(
      name: "foreign-key cascade",
      schema: """
        CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t ON DELETE CASCADE);
        INSERT INTO child VALUES (1, 1)
        """,
      query: "SELECT * FROM child",
      change: "DELETE FROM t WHERE id = 1"
    ),
    ChangeKind(
      name: "a chain of foreign keys",
      schema: """
        CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t ON DELETE CASCADE);
        CREATE TABLE grandchild (child REFERENCES child ON DELETE SET NULL);
        INSERT INTO child VALUES (1, 1); INSERT INTO grandchild VALUES (1)
        """,
      query: "SELECT child FROM grandchild",
      change: "DELETE FROM t WHERE id = 1"
    ),
    ChangeKind(
      name: "a foreign key that follows its parent",
      schema: """
        CREATE TABLE child (id INTEGER PRIMARY KEY, t REFERENCES t ON UPDATE CASCADE);
        INSERT INTO child VALUES (1, 1)
        """,
      query: "SELECT t FROM child",
      change: "UPDATE t SET id = 50 WHERE id = 1"
    ),
    ChangeKind(
      name: "view",
      schema: "CREATE VIEW v AS SELECT upper(a) AS a FROM t",
      query: "SELECT * FROM v",
      change: "UPDATE t SET a = 'through a view' WHERE id = 1"
    ),
    ChangeKind(
      name: "count over a view",
      schema: "CREATE VIEW v AS SELECT * FROM t WHERE b > 1",
      query: "SELECT count(*) FROM v",
      change: "UPDATE t SET b = 0"
    ),
    ChangeKind(
      name: "a write through a view",
      schema: """
        CREATE VIEW v AS SELECT id, a FROM t;
        CREATE TRIGGER tr INSTEAD OF UPDATE ON v BEGIN UPDATE t SET a = new.a WHERE id = new.id; END
        """,
      query: "SELECT a FROM t",
      change: "UPDATE v SET a = 'through' WHERE id = 1"
    ),
    ChangeKind(
      name: "a column joined by USING",
      schema: """
        CREATE TABLE p (k, x); CREATE TABLE q (k, y);
        INSERT INTO p VALUES (1, 1); INSERT INTO q VALUES (1, 1)
        """,
      query: "SELECT count(*) FROM p JOIN q USING (k)",
      change: "UPDATE q SET k = 2"
    ),
    ChangeKind(
      name: "a column joined by NATURAL JOIN",
      schema: """
        CREATE TABLE p (k, x); CREATE TABLE q (k, y);
        INSERT INTO p VALUES (1, 1); INSERT INTO q VALUES (1, 1)
        """,
      query: "SELECT x, y FROM p NATURAL JOIN q",
      change: "UPDATE p SET k = 2"
    ),
  ]
}
