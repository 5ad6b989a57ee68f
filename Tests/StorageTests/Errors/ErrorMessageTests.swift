import Foundation
import Testing

/// Checks that each message of an error, and of a stop of the program, is in a test.
@Suite struct ErrorMessageTests {
  /// Messages that no program can meet, or that only repeat the message of another error.
  private static let exceptions: Set<String> = [
    // The library itself would be wrong.
    "A reference is shown when it has a value.",
    #"startInBackground() leaves no reference in the state `new`."#,
    "A key has one type.",
    #"An empty database cannot be opened: \(error)"#,
    "A waiter was called without a result.",
    "the writer opens once",
    "a snapshot opens once",
    // Unavailable functions do not compile.
    "unavailable",
    "the functions with this parameter are unavailable",
    // Requests always have a table.
    #"\(name) belongs to no table"#,
    "a key belongs to no table",
    "a pattern belongs to no table",
    // An association has a foreign key.
    #"""
    the association with \(destination.tableName) has a condition that is not made of a foreign \#
    key, so that its rows cannot be fetched apart: use including(optional:)
    """#,
    // A live row checks this before, in debug builds.
    """
    The associated rows of a row were read after the row had been decoded. Read them in \
    init(row:), or keep a copy() of the row.
    """,
    // The message comes from the error.
    #"\(error)"#,
    // Debian's SQLite has FTS5.
    "the SQLite library was built without FTS5",
    #"unknown kind of schema object: \(type)"#,
  ]

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private static func text(ofFilesIn directory: String, without name: String = "") throws
    -> [String]
  {
    let enumerator = FileManager.default.enumerator(
      at: root.appending(path: directory),
      includingPropertiesForKeys: nil
    )
    let files = try #require(enumerator).compactMap { $0 as? URL }
    return try files.filter { $0.pathExtension == "swift" && $0.lastPathComponent != name }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// Returns the text with the lines of each literal in one line.
  private static func joined(_ text: some StringProtocol) -> String {
    String(text).replacing(/\\\n\s*/, with: "").replacing(/\s+/, with: " ")
  }

  /// Returns the literals that begin the messages in a source.
  private static func messages(in source: String) -> [String] {
    let literal = #"("""\n[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")"#
    let call = #"(?:message:\s*|(?:misuse|preconditionFailure|fatalError)\(\s*|"#
    guard
      let pattern = try? Regex(
        call + #"precondition\([^"{}]{0,300}?)"# + literal,
        as: (Substring, Substring).self
      )
    else { return [] }
    let code = source.replacing(/(?m)^\s*\/\/.*$/, with: "")
      .replacing(/@available\([\s\S]*?\n\s*\)\n|@available\(.*\)\n/, with: "")
    return code.matches(of: pattern).map { match in
      joined(match.1.trimmingPrefix(/"+\s*/).replacing(/\s*"+$/, with: ""))
    }
  }

  /// Whether a part of the message that has no interpolation is in the tests.
  private static func isTested(_ message: String, _ tests: ContiguousArray<CChar>) -> Bool {
    message.split(separator: /\\\([^)]*(?:\)+|$)/).contains { part in
      part.indices.contains { index in
        guard index == part.startIndex || part[part.index(before: index)] == " " else {
          return false
        }
        let window = part[index...].prefix(24)
        return window.count >= 10 && (window.count == 24 || index == part.startIndex)
          && contains(tests, String(window))
      }
    }
  }

  // The search of the standard library takes much longer.
  private static func contains(_ text: ContiguousArray<CChar>, _ part: String) -> Bool {
    text.withUnsafeBufferPointer { text in
      guard let start = text.baseAddress else { return false }
      return strstr(start, part) != nil
    }
  }

  @Test func `each message is in a test`() throws {
    let name = URL(filePath: #filePath).lastPathComponent
    let tests = try Self.joined(Self.text(ofFilesIn: "Tests", without: name).joined()).utf8CString
    let sources = try ["Storage", "Sharing"].flatMap {
      try Self.text(ofFilesIn: "Sources/\($0)")
    }
    let messages = sources.flatMap(Self.messages)
    #expect(messages.count > 100)
    #expect(Self.exceptions.subtracting(messages) == [], "exceptions that no source has")
    let untested = messages.filter {
      !Self.exceptions.contains($0) && !Self.isTested($0, tests)
    }
    #expect(untested == [])
  }
}
