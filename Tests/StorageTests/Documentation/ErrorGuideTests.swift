import Foundation
import Testing

/// The guide to errors names each error that the library throws.
@Suite struct ErrorGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The declarations of the public API, one a line.
  private static func declarations() throws -> [Substring] {
    try ["Storage", "Sharing", "SharingTestSupport"].flatMap { module in
      try text("API/\(module).txt").split(separator: "\n")
    }
  }

  private static func errorTypes() throws -> [String] {
    try declarations().filter { $0.hasSuffix(" conforms to Swift.Error") }
      .map { String($0.prefix { $0 != " " }) }
  }

  @Test func `each public type of error is in the guide`() throws {
    let types = try Self.errorTypes()
    #expect(types.count > 8)
    let guide = try Self.text("Docs/Storage.docc/ErrorGuide.md")
    #expect(types.filter { !guide.contains($0) } == [])
  }

  @Test func `each case of these errors is in the guide`() throws {
    let guide = try Self.text("Docs/Storage.docc/ErrorGuide.md")
    let owners = try Self.errorTypes() + ["RowDecodingError.Reason"]
    let cases = try Self.declarations().compactMap { line -> String? in
      guard let match = line.wholeMatch(of: /([\w.]+): case (\w+).*/),
        owners.contains(String(match.1))
      else { return nil }
      return String(match.2)
    }
    #expect(cases.count > 6)
    #expect(cases.filter { !guide.contains($0) } == [])
  }

  @Test func `the extended codes of constraints that tables can have are in the guide`() throws {
    let guide = try Self.text("Docs/Storage.docc/ErrorGuide.md")
    for kind in [
      "UNIQUE", "PRIMARYKEY", "ROWID", "NOTNULL", "CHECK", "FOREIGNKEY", "TRIGGER", "DATATYPE",
    ] {
      #expect(guide.contains("SQLITE_CONSTRAINT_\(kind)"))
    }
  }
}
