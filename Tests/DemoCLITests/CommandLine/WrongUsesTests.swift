import Foundation
import Testing

/// The answers of the tool to wrong uses: one line on standard error, nothing on standard output.
@Suite struct WrongUsesTests {
  /// A use: its arguments, where `@file` means the path of a database, and the message.
  typealias Use = (arguments: [String], message: String)

  private static let commandLines: [Use] = firstCommandLines + inMemory + moreCommandLines

  private static let firstCommandLines: [Use] = [
    (["look"], "unknown command look, and no file has this name; see wellspring --help"),
    (["--look"], "unknown option --look; see wellspring --help"),
    (["help", "look"], "unknown command look; see wellspring --help"),
    (["wach"], "unknown command wach (did you mean watch?); see wellspring --help"),
    (
      ["look\u{1B}[2J\nnow"],
      #"unknown command look\u{1B}[2J\nnow, and no file has this name; see wellspring --help"#
    ),
    (["watch"], "watch needs a FILE; see wellspring help watch"),
  ]

  private static let inMemory: [Use] = [
    "watch", "tail", "exec", "query", "explain", "schema", "dump", "load", "demo-writer",
  ].map { (command: String) -> Use in
    (
      [command, ":memory:", "t"],
      """
      :memory: is a database in memory, and wellspring needs a file (./:memory: is a file of this \
      name); see wellspring help \(command)
      """
    )
  }

  private static let moreCommandLines: [Use] = [
    (
      ["watch", "f", "--where", "a"],
      "--where needs a TABLE or --sql; see wellspring help watch"
    ),
    (["wacth"], "unknown command wacth (did you mean watch?); see wellspring --help"),
    (
      ["wacth", "f", "--wait"],
      "unknown command wacth (did you mean watch?); see wellspring --help"
    ),
    (["--versoin"], "unknown option --versoin (did you mean --version?); see wellspring --help"),
    (
      ["query", "f", "t", "--frmat", "csv"],
      "unknown option --frmat (did you mean --format?); see wellspring help query"
    ),
    (
      ["tail", "f", "SELECT 1"],
      "tail needs tables: watch, exec, query and explain take SQL; see wellspring help tail"
    ),
    (
      ["dump", "f", "t", "select*from t"],
      "dump needs tables: watch, exec, query and explain take SQL; see wellspring help dump"
    ),
    (
      ["schema", "f", "VALUES(1)"],
      "schema needs tables: watch, exec, query and explain take SQL; see wellspring help schema"
    ),
    (
      ["watch", "f", "t", "--sql", "s", "--where", "a"],
      "--where needs a single query; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "u", "--limit", "3"],
      "--limit needs a single query; see wellspring help watch"
    ),
    (["watch", "f", "--sql"], "--sql needs a value; see wellspring help watch"),
    (
      ["watch", "f", "t", "--arg", "1"],
      "--arg is for SQL: write the value into --where; see wellspring help watch"
    ),
    (
      ["watch", "f", "--sql", "s", "--where", "a"],
      "--where needs a TABLE; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--limit", "few"],
      "--limit needs a number of rows, not few; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--limit=-1"],
      "--limit needs a number of rows, not -1; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--columns", "a,,b"],
      "--columns needs names, not a,,b; see wellspring help watch"
    ),
    (
      ["watch", "f", "--sql", "s", "--arg", ":a=1", "--arg", ":a=2"],
      "--arg gives :a two values; see wellspring help watch"
    ),
    (["watch", "f", "t", "--wait", "--wait"], "--wait is given twice; see wellspring help watch"),
    (["watch", "f", "t", "--wait=1"], "--wait takes no value; see wellspring help watch"),
    (
      ["watch", "f", "t", "--count", "0"],
      "--count needs a positive number, not 0; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--once", "--count", "2"],
      "--once and --count exclude each other; see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--once", "--changes"],
      "--once and --changes exclude each other: the first value has no changes; "
        + "see wellspring help watch"
    ),
    (
      ["watch", "f", "t", "--format", "xml"],
      "--format needs one of table, json, ndjson, csv, line, diff, not xml; see wellspring help watch"
    ),
    (["watch", "f", "t", "-x"], "unknown option -x; see wellspring help watch"),
    (
      ["watch", "f", "--sql", "s", "--sql", "s", "--arg", "1"],
      "--arg needs a single query; see wellspring help watch"
    ),
    (["query"], "query needs a FILE; see wellspring help query"),
    (["query", ""], "query needs a FILE; see wellspring help query"),
    (
      ["query", "f", "t", "--sql", "s"],
      "query takes a TABLE or --sql, not both; see wellspring help query"
    ),
    (["query", "f", "t", "u"], "query takes one FILE and one TABLE; see wellspring help query"),
    (
      ["query", "f", "t", "--format", "diff"],
      "--format needs one of table, json, ndjson, csv, line, not diff; see wellspring help query"
    ),
    (["load", "f", "--wait"], "unknown option --wait; see wellspring help load"),
    (["tail", "f"], "tail needs a TABLE; see wellspring help tail"),
    (["tail", "f", "t", "u"], "tail takes one FILE and one TABLE; see wellspring help tail"),
    (
      ["tail", "f", "t", "--since", "now"],
      "--since needs a row id, not now; see wellspring help tail"
    ),
    (
      ["tail", "f", "t", "--format", "json"],
      "tail has no last row, so --format json is not possible; see wellspring help tail"
    ),
    (["exec", "f", "t"], "exec needs --on-change; see wellspring help exec"),
    (
      ["exec", "f", "t", "--on-change", " "],
      "--on-change needs a command; see wellspring help exec"
    ),
    (["schema"], "schema needs a FILE; see wellspring help schema"),
    (["dump"], "dump needs a FILE; see wellspring help dump"),
    (["explain", "f"], "explain needs a TABLE or --sql; see wellspring help explain"),
    (["load"], "load needs a FILE; see wellspring help load"),
    (
      ["load", "f", "--writers", "0"],
      "--writers needs a number from 1 to 64, not 0; see wellspring help load"
    ),
    (
      ["load", "f", "--rate", "fast"],
      "--rate needs a number from 0.1 to 1000000, not fast; see wellspring help load"
    ),
    (
      ["completions", "csh"],
      "there are completions for bash, zsh and fish, not for csh; "
        + "see wellspring help completions"
    ),
    (
      ["demo", "--seconds", "x"],
      "--seconds needs a positive number, not x; see wellspring help demo"
    ),
  ]

  private static let files: [Use] = [
    (["query", "@file.no", "t"], "no such file: @file.no"),
    (["@file.no"], "no such file: @file.no"),
    (["@text"], "@text is not a SQLite database"),
    (["query", "@file/t", "t"], "no such file: @file/t"),
    (["load", "/dev/null/f"], "no such file: /dev/null/f"),
    (["query", "@folder", "t"], "@folder is a directory"),
    (["load", "@folder"], "@folder is a directory"),
    (["watch", "@text", "t"], "@text is not a SQLite database"),
    (["tail", "@text", "t"], "@text is not a SQLite database"),
    (["explain", "@text", "t"], "@text is not a SQLite database"),
  ]

  private static let statements: [Use] = [
    (["query", "@file", "u"], "@file: no such table: u (there are customers, t, w)"),
    (
      ["watch", "@file", "t", "u", "--once"], "@file: no such table: u (there are customers, t, w)"
    ),
    (["schema", "@file", "u"], "@file: no such table: u (there are customers, t, w)"),
    (["dump", "@file", "u"], "@file: no such table: u (there are customers, t, w)"),
    (
      ["exec", "@file", "u", "--on-change", "true"],
      "@file: no such table: u (there are customers, t, w)"
    ),
    (["tail", "@file", "u"], "@file: no such table: u (there are customers, t, w)"),
    (
      ["tail", "@file", "w"],
      "@file: w has no row ids: only a table with row ids has a tail"
    ),
    (["query", "@file", "t", "--columns", "c"], "@file: t has no column c (its columns are a, b)"),
    (["query", "@file", "main.t"], "@file: no such table: main.t (did you mean t?)"),
    (
      ["query", "@file", "SELEC 1"],
      """
      @file: no such table: SELEC 1 (there are customers, t, w); as SQL: near "SELEC": syntax error
      """
    ),
    (["query", "@file", "orders"], "@file: no such table: orders (there are customers, t, w)"),
    (["watch", "@file", "custmers"], "@file: no such table: custmers (did you mean customers?)"),
    (
      ["query", "@file", "customers", "--columns", "id,nmae"],
      "@file: customers has no column nmae (did you mean name?)"
    ),
    (
      ["query", "@file", "SELECT c.nmae FROM customers c"],
      "@file: no such column: c.nmae (did you mean name?)"
    ),
    (
      ["watch", "@file", "SELECT * FROM custmers", "--once"],
      "@file: no such table: custmers (did you mean customers?)"
    ),
    (
      ["watch", "@file", "customers", "--once", "--key", "naem"],
      "@file: the statement has no column naem for --key (did you mean name?)"
    ),
    (
      ["explain", "@file", "customers", "--where", "naem = 1"],
      "@file: no such column: naem (did you mean name?)"
    ),
    (
      ["explain", "@file", "SELECT * FROM custmers"],
      "@file: no such table: custmers (did you mean customers?)"
    ),
    (
      ["tail", "@file", "customers", "--where", "naem = 1"],
      "@file: no such column: naem (did you mean name?)"
    ),
    (
      ["tail", "@file", "customers", "--since", "0", "--where", "naem = 1"],
      "@file: no such column: naem (did you mean name?)"
    ),
    (["query", "@file", "t", "--where", "a ="], #"@file: near ")": syntax error"#),
    (["query", "@file", "t", "--order", "c"], "@file: no such column: c"),
    (["query", "@file", "--sql", ""], "@file: no SQL statement"),
    (["query", "@file", "--sql", "SELECT * FORM t"], #"@file: near "FORM": syntax error"#),
    (["query", "@file", "--sql", "SELECT * FROM"], "@file: incomplete input"),
    (["query", "@file", "--sql", "SELECT nofunc(1)"], "@file: no such function: nofunc"),
    (
      ["query", "@file", "--sql", "SELECT 1; SELECT 2"],
      "@file: several SQL statements where one is expected"
    ),
    (
      ["query", "@file", "--sql", "SELECT abs(-9223372036854775808)"], "@file: integer overflow"
    ),
    (
      ["query", "@file", "--sql", "SELECT ?"],
      "@file: missing statement arguments: number 1 (the statement has 1, 0 given)"
    ),
    (
      ["query", "@file", "--sql", "SELECT ?", "--arg", "1", "--arg", "2"],
      "@file: too many statement arguments: the statement has 1, 2 given"
    ),
    (
      ["query", "@file", "--sql", "SELECT :a", "--arg", ":a=1", "--arg", ":b=2"],
      "@file: the statement has no parameter :b (its parameters are a)"
    ),
    (
      ["watch", "@file", "--sql", "SELECT ? + @a", "--arg", "1", "--arg", "@a=1", "--arg", "$n=2"],
      "@file: the statement has no parameter $n (its parameters are a)"
    ),
    (
      ["explain", "@file", "--sql", "SELECT a FROM t", "--arg", ":a=1"],
      "@file: the statement has no parameter :a"
    ),
    (
      ["query", "@file", "--sql", "SELECT :name", "--arg", ":nmae=1"],
      "@file: the statement has no parameter :nmae (its parameters are name)"
    ),
    (
      ["query", "@file", "--sql", "DELETE FROM t"],
      "@file: the statement writes: only a statement that reads is allowed"
    ),
    (
      ["query", "@file", "DELETE FROM t"],
      "@file: the statement writes: only a statement that reads is allowed"
    ),
    (
      ["watch", "@file", "/* all */ DELETE FROM t"],
      "@file: the statement writes: only a statement that reads is allowed"
    ),
    (
      ["query", "@file", "ALTER TABLE t ADD COLUMN z"],
      "@file: the statement writes: only a statement that reads is allowed"
    ),
    (
      ["explain", "@file", "--sql", "DELETE FROM t"],
      "@file: the statement writes: only a statement that reads is allowed"
    ),
    (
      ["query", "@file", "--sql", "BEGIN"],
      "@file: the statement returns no rows: only a statement that does is allowed"
    ),
    (
      ["watch", "@file", "--sql", "SELECT 1 AS n", "--key", "m"],
      "@file: the statement has no column m for --key (its columns are n)"
    ),
  ]

  /// Expects the message and the exit code of a use.
  private func expect(_ use: Use, code: Int32) async throws {
    let file = try await TestFile(
      """
      CREATE TABLE t (a, b); CREATE TABLE w (k PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)
      """
    )
    let text = file.directory.appendingPathComponent("text").path
    try Data(repeating: 65, count: 5000).write(to: URL(fileURLWithPath: text))
    func filled(_ string: String) -> String {
      string.replacing("@file", with: file.path).replacing("@folder", with: file.directory.path)
        .replacing("@text", with: text)
    }
    try await RunningTool.expectFailure(
      use.arguments.map(filled),
      filled(use.message),
      code: code
    )
  }

  @Test(arguments: commandLines)
  func `a wrong command line has exit code 2`(use: Use) async throws {
    try await expect(use, code: 2)
  }

  @Test(arguments: files)
  func `a file that cannot be read has exit code 1`(use: Use) async throws {
    try await expect(use, code: 1)
  }

  @Test(arguments: statements)
  func `a table or a statement that the file does not have has exit code 1`(use: Use) async throws {
    try await expect(use, code: 1)
  }
}
