import Foundation
import Testing

/// Checks that the tutorial in Docs/Sharing.docc shows the code of this package.
@Suite struct TutorialTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  @Test func `the code of the tutorial is in the package`() throws {
    let tutorial = try String(
      contentsOf: Self.package.appending(path: "../../Docs/Sharing.docc/JobQueue.md"),
      encoding: .utf8
    )
    let files = try #require(FileManager.default.enumerator(atPath: Self.package.path))
      .compactMap { $0 as? String }
      .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build") }
    let code = try files.map {
      try String(contentsOf: Self.package.appending(path: $0), encoding: .utf8)
    }
    let blocks = tutorial.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count > 5)
    for block in blocks {
      #expect(code.contains { $0.contains(block) }, "not in the package:\n\(block)")
    }
  }
}
