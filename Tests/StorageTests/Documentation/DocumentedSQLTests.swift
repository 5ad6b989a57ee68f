import Foundation
import Storage
import Testing

/// The SQL in doc comments is the SQL that runs.
@Suite struct DocumentedSQLTests {
  static let groups: [(String, @Sendable (Examples) throws -> Void)] = [
    ("aggregateExamples1", { try $0.aggregateExamples1() }),
    ("aggregateExamples2", { try $0.aggregateExamples2() }),
    ("aggregateExamples3", { try $0.aggregateExamples3() }),
    ("associationExamples", { try $0.associationExamples() }),
    ("boolExamples", { try $0.boolExamples() }),
    ("clauseExamples", { try $0.clauseExamples() }),
    ("expressionExamples", { try $0.expressionExamples() }),
    ("jsonExamples", { try $0.jsonExamples() }),
    ("operatorExamples1", { try $0.operatorExamples1() }),
    ("operatorExamples2", { try $0.operatorExamples2() }),
    ("requestExamples1", { try $0.requestExamples1() }),
    ("requestExamples2", { try $0.requestExamples2() }),
    ("requestExamples3", { try $0.requestExamples3() }),
    ("requestExamples4", { try $0.requestExamples4() }),
    ("sqlFunctionExamples1", { try $0.sqlFunctionExamples1() }),
    ("sqlFunctionExamples2", { try $0.sqlFunctionExamples2() }),
    ("sqlLiteralExamples", { try $0.sqlLiteralExamples() }),
    ("subqueryExamples", { try $0.subqueryExamples() }),
    ("tableAssociationExamples", { try $0.tableAssociationExamples() }),
    ("swiftFunctionExamples", { try $0.swiftFunctionExamples() }),
    ("propertyExamples", { try $0.propertyExamples() }),
    ("tableExamples", { try $0.tableExamples() }),
    ("typedColumnExamples1", { try $0.typedColumnExamples1() }),
    ("typedColumnExamples2", { try $0.typedColumnExamples2() }),
  ]

  @Test(arguments: groups.indices)
  func `the examples in doc comments compile, and produce the documented SQL`(_ index: Int) throws {
    try Examples.run(Self.groups[index].1)
  }

  /// An example of one line from a doc comment, with its SQL.
  private struct Example: CustomStringConvertible {
    let file: String
    let code: String
    let sql: String
    var description: String { "\(file): \(code)" }
  }

  private static func examples(in url: URL) throws -> [Example] {
    var examples: [Example] = []
    var code: [Substring] = []
    var sql: [Substring] = []
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let line = line.drop { $0 == " " }
      let text = line.hasPrefix("///     ") ? line.dropFirst(8) : ""
      if text.hasPrefix("// ") {
        sql.append(text.dropFirst(3))
        continue
      }
      if !sql.isEmpty, code.count == 1 {
        examples.append(
          Example(
            file: url.lastPathComponent,
            code: String(code[0]),
            sql: sql.joined(separator: " ")
          )
        )
      }
      if !sql.isEmpty || text.isEmpty { code = [] }
      sql = []
      if !text.isEmpty { code.append(text) }
    }
    return examples
  }

  @Test func `every example of one line is tested`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
    let tested = try FileManager.default
      .contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
      .map { try String(contentsOf: $0, encoding: .utf8).filter { !$0.isWhitespace } }.joined()
    let sources = root.appending(path: "../../../Sources/Storage/Query").standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    )
    var count = 0
    for case let url as URL in files where url.pathExtension == "swift" {
      for example in try Self.examples(in: url) where Self.isTested(example) {
        let code = example.code.filter { !$0.isWhitespace }
          .replacing(/^(let\w+(:[\w<>]+)?=)?(try)?/, with: "")
        let sql = example.sql.filter { !$0.isWhitespace }
        // The tests contain `check(#"…"#, …)`, or `run(#"…"#) { _ = try … }`.
        let isFound =
          tested.contains(sql + "\"#," + code) || tested.contains(sql + "\"#){_=try" + code)
        #expect(isFound, "\(example): \(example.sql)")
        count += 1
      }
    }
    #expect(count > 350)
  }

  /// Returns whether an example can run alone. The other examples are parts of longer examples.
  /// Other tests run these.
  private static func isTested(_ example: Example) -> Bool {
    let parts = [
      "manager", "leaders", "CodingKeys", "= ?", "databaseRegion", "Leaders", "users[", "pattern",
      "print(", "let (", "user,", "\\(.allColumns)", "excluding", "Jr.", "…", "static ", "query",
      "request.",
      // Dumps do not print SQL.
      "dump", "//",
      // The tests of associations and of pages run these. They are several statements, or no
      // statement.
      "including(all:", "row.scopes", "request(for:", "fetchPage",
    ]
    return !example.code.hasPrefix("[$0") && !example.code.hasPrefix("($0")
      && !parts.contains { example.code.contains($0) || example.sql.contains($0) }
  }
}
