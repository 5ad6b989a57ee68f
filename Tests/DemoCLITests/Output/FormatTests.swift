import Foundation
import Glibc
import Testing

/// The formats of results, in pipes and on pseudo-terminals.
@Suite struct FormatTests {
  /// A text with a colour, a C1 control, a carriage return and a direction mark.
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT);
    INSERT INTO t VALUES (1, 'a' || char(27) || '[31mb' || char(155) || 'c' || char(13) || 'd'
      || char(8238) || 'e');
    """

  @Test func `line has each value on a line of its own, and an empty line between rows`()
    async throws
  {
    let file = try await TestFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, real, long_name); INSERT INTO t VALUES "
        + "(1, 0.1 + 0.2, 'cup'), (2, NULL, x'0A')"
    )
    let tool = try RunningTool("query", file.path, "t", "--format", "line")
    #expect(try await tool.exitCode() == 0)
    #expect(
      tool.outputText == """
               id = 1
             real = 0.3
        long_name = cup

               id = 2
             real = NULL
        long_name = x'0A'

        """
    )
    let watch = try RunningTool("watch", file.path, "t", "--format", "line", "--changes")
    try await file.probe(watch) { "UPDATE t SET long_name = 'probe \($0)' WHERE id = 1" }
    #expect(watch.outputText.contains("   change = updated\n"))
    let tail = try RunningTool("tail", file.path, "t", "--format", "line", "--count", "1")
    #expect(try await tail.exitCode() == 0)
    #expect(tail.outputText.hasPrefix("       id = 1\n"))
  }

  @Test(
    arguments: ["table", "line", "json", "ndjson", "csv"],
    ["query", "watch"]
  )
  func `what a file holds never reaches a terminal raw`(format: String, command: String)
    async throws
  {
    let file = try await TestFile(Self.schema)
    let once = command == "watch" ? ["--once"] : []
    let tool = try RunningTool(
      arguments: [command, file.path, "t", "--format", format] + once,
      output: .terminal(columns: 80, rows: 24)
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("[31mb"))
    let allowed: Set<Unicode.Scalar> = ["\r", "\n", "\t"]
    let raw = tool.outputText.unicodeScalars.filter {
      !allowed.contains($0)
        && ($0.value < 0x20 || (0x7F..<0xA0).contains($0.value)
          || $0.value == 0x202E)
    }
    #expect(raw.isEmpty, "\(tool.outputText.debugDescription)")
    // A carriage return stands before the end of a line only.
    let lines = tool.outputText.unicodeScalars.split(separator: "\n")
    #expect(
      !lines.contains { line in
        line.reversed().drop { $0 == "\r" }.contains("\r")
      }
    )
  }

  @Test(arguments: [["dump"], ["schema"], ["explain", "t"], ["tail", "t", "--count", "1"]])
  func `and no command writes it there`(command: [String]) async throws {
    let file = try await TestFile(
      Self.schema + "CREATE VIEW \"v\u{1B}[2J\" AS SELECT '\u{1B}[2J' FROM t;"
    )
    let tool = try RunningTool(
      arguments: [command[0], file.path] + command.dropFirst(),
      output: .terminal(columns: 80, rows: 24)
    )
    #expect(try await tool.exitCode() == 0)
    #expect(!tool.outputText.isEmpty)
    #expect(!tool.outputText.contains("\u{1B}"))
  }

  @Test(arguments: [["query", "@", "t"], ["watch", "@", "t", "--once"]])
  func `JSON on a terminal is JSON`(arguments: [String]) async throws {
    let text = "a\u{202E}b\u{9B}c\u{2028}\u{E0001}d"
    let file = try await TestFile("CREATE TABLE t (text); INSERT INTO t VALUES ('\(text)')")
    let tool = try RunningTool(
      arguments: arguments.map { $0 == "@" ? file.path : $0 } + ["--format", "json"],
      output: .terminal(columns: 80, rows: 24)
    )
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains(#"a\u202eb\u009bc\u2028\udb40\udc01d"#))
    let value = try JSONSerialization.jsonObject(with: Data(tool.outputText.utf8))
    let rows = ((value as? [String: Any])?["rows"] ?? value) as? [[String: String]]
    #expect(rows == [["text": text]])
  }

  @Test(arguments: ["line", "csv"])
  func `a pipe gets it as it is`(format: String) async throws {
    let file = try await TestFile(Self.schema)
    let tool = try RunningTool("query", file.path, "t", "--format", format)
    #expect(try await tool.exitCode() == 0)
    #expect(tool.outputText.contains("\u{1B}[31mb\u{9B}c\rd\u{202E}e"))
  }

  @Test(arguments: ["table", "line", "json", "ndjson", "csv", "dump"])
  func `a large result begins at once, and needs little memory`(format: String) async throws {
    let file = try await TestFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, 'a text of five thousand bytes: ' || hex(zeroblob(2485)) FROM n;
      """
    )
    let arguments =
      format == "dump" ? ["dump", file.path] : ["query", file.path, "t", "--format", format]
    let tool = try RunningTool(arguments: arguments)
    // The tool waits for its reader with the first rows in the pipe.
    tool.readsOutput = false
    try await tool.waitForFullPipe()
    tool.readsOutput = true
    tool.keepsOutput = false
    try await tool.wait("many rows") { $0.outputCount > 300_000 }
    // A sanitizer needs memory of its own.
    let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
    #expect(try isSanitized || tool.peakMemory() < 45_000)
    tool.send(SIGTERM)
    _ = try await tool.exitCode()
  }

  @Test func `on a terminal a table fits the window, and says what does not`() async throws {
    let names = (1...30).map { "column_\($0)" }
    let file = try await TestFile(
      """
      CREATE TABLE t (\(names.joined(separator: ", ")));
      INSERT INTO t (column_1, column_2) VALUES ('a long text that is longer than what fits', 12345678901234);
      """
    )
    let tool = try RunningTool("query", file.path, "t", output: .terminal(columns: 60, rows: 24))
    #expect(try await tool.exitCode() == 0)
    let lines = tool.outputText.split(whereSeparator: \.isNewline)
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(lines[0].hasSuffix("column_4  +26 …"))
    #expect(lines[2].contains("12345678901234"))
    #expect(lines.last == "26 columns do not fit: --format line shows all")
    let pipe = try RunningTool("query", file.path, "t", "--format", "table")
    #expect(try await pipe.exitCode() == 0)
    #expect(pipe.outputText.contains("column_30"))
  }
}
