import Foundation
import Testing

/// Checks the guides in Docs/Storage.docc: their code must be in the tests beside this file, which
/// run the code and check the SQL that the guides show.
@Suite struct GuideTests {
  private struct Line {
    let code: String
    let comment: String

    init(_ line: Substring) {
      let parts = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      // The records of a test are its own.
      code = parts[0].hasPrefix("private ") ? String(parts[0].dropFirst(8)) : parts[0]
      comment = parts.count > 1 ? parts[1] : ""
    }
  }

  private func lines(ofGuide name: String) throws -> [Line] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let url = directory.appending(path: "../../../Docs/Storage.docc/\(name).md")
    let text = try String(contentsOf: url, encoding: .utf8)
    // Scripts/code-blocks.sh runs whole programs.
    return text.components(separatedBy: "\n```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0].split(separator: "\n") }
      .filter { !$0.contains { $0.hasPrefix("@main") } }
      .flatMap { $0.map(Line.init) }
  }

  @Test(arguments: ["RecordTypes", "QueryInterface", "SchemaAndMigrations"])
  func `the code and the SQL of a guide are in its test`(_ name: String) throws {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
    let test = try String(
      contentsOf: directory.appending(path: "\(name)GuideTests.swift"),
      encoding: .utf8
    )
    let tested = Set(test.split(separator: "\n").map { Line($0).code })
    let lines = try lines(ofGuide: name)
    #expect(!lines.isEmpty)
    for line in lines {
      let isCompiled = tested.contains(line.code)
      #expect(isCompiled, "\(line.code)")
      let isChecked = line.comment.isEmpty || test.contains(line.comment.replacing(" …", with: ""))
      #expect(isChecked, "\(line.comment)")
    }
  }
}
