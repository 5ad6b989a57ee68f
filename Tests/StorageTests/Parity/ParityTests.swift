import Foundation
import Testing

/// The differences that code written for GRDB 7 met, line by line.
struct ParityTests {
  /// The lines of each subject stand in `ParityTests+Subject.swift`.
  static let lines =
    associations + connections + expressions + records + schema + tables + defects + quietDefects
    + spellings + differences

  @Test(arguments: lines)
  func `Code for GRDB 7 means the same here, or the guide says what to write`(
    _ line: ParityLine
  ) async throws {
    switch line.outcome {
    case .same(let check):
      try await check()
    case .documented(let text):
      #expect(try Self.guide().contains(text))
    }
  }

  private static func guide() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Docs/Storage.docc/ComingFromGRDB.md").standardizedFileURL
    return try String(contentsOf: root, encoding: .utf8)
  }
}
