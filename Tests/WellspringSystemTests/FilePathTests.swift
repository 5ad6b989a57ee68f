import Foundation
import Testing
import WellspringSystem

@Suite struct FilePathTests {
  @Test(
    arguments: [
      ("/a/b.sqlite", "/a", "b.sqlite"), ("/b", "/", "b"), ("b", ".", "b"), ("a/b", "a", "b"),
      ("a/", "a", ""),
    ]
  )
  func `a path splits into its directory and its name`(
    path: String,
    directory: String,
    name: String
  ) {
    #expect(FilePath.split(path) == (directory, name))
  }

  @Test func `characters with a meaning in URIs are encoded`() {
    #expect(FilePath.uriEncoded("/50% off?#1 é") == "/50%25 off%3f%231 é")
  }

  @Test func `symbolic links are resolved, also those of the directory of a missing file`() throws {
    let manager = FileManager.default
    let base = FilePath.resolved(manager.temporaryDirectory.path) + "/\(UUID().uuidString)"
    try manager.createDirectory(atPath: base + "/real", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: base) }
    try manager.createSymbolicLink(atPath: base + "/link", withDestinationPath: "real")
    #expect(manager.createFile(atPath: base + "/real/file", contents: nil))
    #expect(FilePath.resolved(base + "/link/file") == base + "/real/file")
    #expect(FilePath.resolved(base + "/link/missing") == base + "/real/missing")
    #expect(FilePath.resolved(base + "/missing/file") == base + "/missing/file")
  }

  @Test func `a trail names the links on the way`() throws {
    let manager = FileManager.default
    let base = FilePath.resolved(manager.temporaryDirectory.path) + "/\(UUID().uuidString)"
    try manager.createDirectory(atPath: base + "/real/sub", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: base) }
    for (link, target) in [
      ("a", "b"), ("b", base + "/real"), ("real/up", ".."), ("real/file", "../missing/./file"),
      ("loop", "loop"),
    ] {
      try manager.createSymbolicLink(atPath: "\(base)/\(link)", withDestinationPath: target)
    }
    func check(_ path: String, _ links: [String], _ result: String) {
      let trail = FilePath.trail(of: "\(base)/\(path)")
      #expect(trail.links == links.map { "\(base)/\($0)" })
      #expect(trail.path == "\(base)/\(result)")
    }
    check("real/sub/x", [], "real/sub/x")
    check("a/x", ["a", "b"], "real/x")
    check("a/sub/../x", ["a", "b"], "real/x")
    check("real/up/real/file", ["real/up", "real/file"], "missing/file")
    check("b//sub/.", ["b"], "real/sub")
    #expect(FilePath.trail(of: base + "/loop").path == base + "/loop")
    #expect(FilePath.trail(of: "/..").path == "/")
  }
}
