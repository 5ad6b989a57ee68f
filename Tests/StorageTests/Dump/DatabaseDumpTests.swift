import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// A stream that collects the text of a dump.
private final class Output: TextOutputStream {
  var text = ""
  func write(_ string: String) { text += string }
}

private func dumped(_ body: (Output) throws -> Void) rethrows -> String {
  let output = Output()
  try body(output)
  return output.text
}

@Suite struct DatabaseDumpTests {
  private static let schema = """
    CREATE TABLE piece (a INTEGER, "b|""c" TEXT, c REAL, d BLOB);
    INSERT INTO piece VALUES (1, 'x''y|é', 1.5, x'68c3a9');
    INSERT INTO piece VALUES (NULL, '', 100.0, x'');
    INSERT INTO piece VALUES (3, 'line' || char(10) || 'two', -0.25, NULL);
    INSERT INTO piece VALUES (9223372036854775807, char(9) || '"q" \\ back' || char(1), 0.0, x'41');
    """

  private static let formats: [(options: [String], format: any DumpFormat)] = [
    (["-list"], .list()),
    (["-list", "-header"], .list(header: true)),
    (["-list", "-separator", ";", "-nullvalue", "-"], .list(separator: ";", nullValue: "-")),
    (["-line"], .line()),
    (["-line", "-nullvalue", "-"], .line(nullValue: "-")),
    (["-quote"], .quote()),
    (["-quote", "-header"], .quote(header: true)),
  ]

  @Test(arguments: formats.indices)
  func `A-113: the formats are those of the shell`(_ index: Int) throws {
    let directory = TemporaryDirectory()
    let queue = try DatabaseQueue(path: directory.file())
    try queue.write { try $0.execute(sql: Self.schema) }
    let (options, format) = Self.formats[index]
    // From 3.52 on the shell writes lines otherwise, and blobs in lower case.
    let isOld = Database.sqliteLibVersionNumber < 3_052_000
    guard isOld || !options.contains("-line") else { return }
    let query = "SELECT * FROM piece ORDER BY a"
    // From 3.50 on the shell hides control characters from the terminal.
    let plain = Database.sqliteLibVersionNumber < 3_050_000 ? [] : ["-escape", "off"]
    let expected = try SQLiteShell.run(directory.file(), query, options: plain + options)
    let text = try dumped { try queue.dumpSQL(SQL(sql: query), format: format, to: $0) }
      .replacing("X'", with: isOld ? "X'" : "x'")
    #expect(text.trimmingCharacters(in: .newlines) == expected)
  }

  @Test func `numbers are written so that parsing gives the same numbers`() throws {
    try withDatabase { db throws in
      let text = try dumped { output in
        try db.dumpSQL("SELECT 0.1 AS a, 1e300 AS b, 1e999 AS c", format: .json(), to: output)
        try db.dumpSQL("SELECT 0.1, 1e300, -1e999", format: .quote(), to: output)
      }
      #expect(
        text == "[{\"a\":0.1,\"b\":1e+300,\"c\":\"inf\"}]\n0.1,1.000000000000000053e+300,-9e999\n"
      )
    }
  }

  @Test func `A-113: JSON contains blobs in Base64, and is formatted by an encoder`() throws {
    try withDatabase { db throws in
      let sql: SQL = "SELECT 1 AS id, 'a/b' || char(10) AS name, x'00ff' AS data, NULL AS no"
      #expect(
        try dumped { try db.dumpSQL(sql, format: .json(), to: $0) }
          == #"[{"id":1,"name":"a/b\n","data":"AP8=","no":null}]"# + "\n"
      )
      let encoder = JSONDumpFormat.defaultEncoder
      encoder.outputFormatting = .prettyPrinted
      encoder.dataEncodingStrategy = .deferredToData
      #expect(
        try dumped {
          try db.dumpSQL(
            "SELECT 1 AS id, x'00' AS data UNION SELECT 2, 'x'",
            format: .json(encoder: encoder),
            to: $0
          )
        } == """
          [
            {
              "id": 1,
              "data": [
            0
          ]
            },
            {
              "id": 2,
              "data": "x"
            }
          ]

          """
      )
    }
  }

  @Test func `values that the encoder refuses are an error`() throws {
    try withDatabase { db throws in
      #expect(throws: EncodingError.self) {
        try db.dumpSQL("SELECT 1e999", format: .json(encoder: JSONEncoder()), to: Output())
      }
    }
  }

  @Test func `without rows, JSON is an empty array and the other formats write nothing`() throws {
    try withDatabase { db throws in
      #expect(
        try dumped { try db.dumpSQL("SELECT * FROM item", format: .json(), to: $0) } == "[]\n"
      )
      #expect(try dumped { try db.dumpSQL("SELECT * FROM item", format: .line(), to: $0) } == "")
    }
  }

  @Test func `several statements are executed and dumped one after the other`() throws {
    try withDatabase { db throws in
      let text = try dumped {
        try db.dumpSQL(
          "INSERT INTO item (name) VALUES (\("cup")); SELECT name FROM item; SELECT \(2)",
          to: $0
        )
      }
      #expect(text == "cup\n2\n")
    }
  }

  @Test func `the output before an error is written`() throws {
    try withDatabase { db throws in
      let output = Output()
      #expect(throws: DatabaseError.self) {
        try db.dumpSQL("SELECT 1; SELECT oops", to: output)
      }
      #expect(output.text == "1\n")
    }
  }

  @Test func `A-113, A-115: a request can be dumped`() throws {
    try withPlayers { db in
      let text = try dumped {
        try db.dumpRequest(Team.order { $0.name }, format: .list(), to: $0)
      }
      #expect(text == "2|Blues|\n1|Reds|red\n")
    }
  }

  @Test func `A-113: tables are sorted by primary key, and have headers when there are several`()
    throws
  {
    try withPlayers { db in
      try db.execute(sql: "INSERT INTO country VALUES ('fr', 'France'), ('at', 'Austria')")
      try db.execute(sql: "CREATE VIEW names AS SELECT name FROM team ORDER BY name")
      let one = try dumped { try db.dumpTables(["country"], to: $0) }
      #expect(one == "at|Austria\nfr|France\n")
      let several = try dumped {
        try db.dumpTables(["country", "names"], format: .quote(), tableHeader: .automatic, to: $0)
      }
      #expect(several == "country\n'at','Austria'\n'fr','France'\n\nnames\n'Blues'\n'Reds'\n")
      try db.execute(sql: "CREATE VIEW backwards AS SELECT name, id FROM team ORDER BY name DESC")
      let views = try [false, true].map { isStable in
        try dumped { try db.dumpTables(["backwards"], stableOrder: isStable, to: $0) }
      }
      #expect(views == ["Reds|1\nBlues|2\n", "Blues|2\nReds|1\n"])
      let header = try dumped { try db.dumpTables(["names"], tableHeader: .always, to: $0) }
      #expect(header == "names\nBlues\nReds\n")
      expectDatabaseError(.SQLITE_ERROR, "no such table: nothing") {
        try db.dumpTables(["nothing"], to: Output())
      }
    }
  }

  @Test func `A-113: dumpContent writes the schema and all rows, without internal tables`()
    throws
  {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
          CREATE TABLE a (x);
          CREATE INDEX a_on_x ON a(x);
          CREATE VIRTUAL TABLE text USING fts5(body);
          INSERT INTO b (name) VALUES ('one'), ('two');
          INSERT INTO text VALUES ('words');
          INSERT INTO a VALUES (x'00ff');
          """
      )
    }
    #expect(
      try dumped { try queue.dumpContent(to: $0) } == """
        sqlite_master
        CREATE TABLE a (x);
        CREATE TABLE b (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
        CREATE VIRTUAL TABLE text USING fts5(body);
        CREATE INDEX a_on_x ON a(x);

        a
        X'00ff'

        b
        1|one
        2|two

        text
        words

        """
    )
    #expect(try dumped { try queue.dumpSchema(to: $0) }.hasPrefix("CREATE TABLE a (x);\nCREATE"))
    let tables = try dumped {
      try queue.dumpTables(["b", "a"], format: .quote(), stableOrder: true, to: $0)
    }
    #expect(tables == "b\n1,'one'\n2,'two'\n\na\nX'00ff'\n")
  }
}
