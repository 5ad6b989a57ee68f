import Foundation
import Testing

/// The guide to errors names each error that the library throws.
@Suite struct ErrorGuideTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static func guide() throws -> String { try text("Docs/Storage.docc/ErrorGuide.md") }

  /// The sources of the modules that programs import.
  private static func sources() throws -> [String] {
    try ["Storage", "Sharing", "SharingTestSupport"].flatMap { module in
      let enumerator = FileManager.default.enumerator(
        at: root.appending(path: "Sources/\(module)"),
        includingPropertiesForKeys: nil
      )
      let files = try #require(enumerator).compactMap { $0 as? URL }
      return try files.filter { $0.pathExtension == "swift" }
        .map { try String(contentsOf: $0, encoding: .utf8) }
    }
  }

  /// A public type of error, with the names of its cases.
  private struct ErrorType {
    let name: String
    let cases: [String]
  }

  /// The public types that conform to `Error` where they are declared.
  private static func errorTypes() throws -> [ErrorType] {
    try sources().flatMap { source in
      source.matches(of: /(?m)^public (?:struct|enum) (\w+):[^{\n]*\bError\b/).map { match in
        let rest = source[match.range.upperBound...]
        let body = rest[..<(rest.firstMatch(of: /(?m)^}/)?.range.lowerBound ?? rest.endIndex)]
        let cases =
          body
          .matches(of: /(?m)^ +case (\w+)(?:\(.*\))?$/).map { String($0.1) }
        return ErrorType(name: String(match.1), cases: cases)
      }
    }
  }

  @Test func `each public type of error is in the guide`() throws {
    let names = try Self.errorTypes().map(\.name)
    #expect(names.count > 9)
    #expect(names.contains("DuplicateIdentity"))
    let guide = try Self.guide()
    #expect(names.filter { !guide.contains("`\($0)") } == [])
  }

  @Test func `each case of these errors is in the guide, with its type`() throws {
    let guide = try Self.guide()
    let missing = try Self.errorTypes().flatMap { type in
      type.cases.filter { name in
        !guide.contains("`\(type.name).\(name)") && !guide.contains("``\(type.name)/\(name)")
          && !guide.contains("``\(type.name)/Reason-swift.enum/\(name)")
      }
    }
    #expect(try Self.errorTypes().flatMap(\.cases).count > 10)
    #expect(missing == [])
  }

  @Test func `each result code is in the guide`() throws {
    let codes = try Self.text("Sources/Storage/Errors/ResultCode.swift")
      .matches(of: /static let (SQLITE_\w+)/).map { String($0.1) }
    #expect(codes.count > 90)
    let named = Set(try Self.guide().matches(of: /`(SQLITE_\w+)`/).map { String($0.1) })
    #expect(codes.filter { !named.contains($0) } == [])
  }
}
