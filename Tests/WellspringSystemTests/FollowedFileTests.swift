import Foundation
import Testing
import WellspringSystem

@Suite struct FollowedFileTests {
  @Test func `a followed file notices links that come, change and go`() throws {
    let manager = FileManager.default
    let base = FilePath.resolved(manager.temporaryDirectory.path) + "/\(UUID().uuidString)"
    try manager.createDirectory(atPath: base + "/é/first", withIntermediateDirectories: true)
    defer { try? manager.removeItem(atPath: base) }
    let path = base + "/é/dir/file"
    let file = FollowedFile(path)
    func check(_ links: [String], _ result: String) {
      let trail = file.follow()
      #expect(trail == FilePath.trail(of: path))
      #expect(trail.links == links.map { "\(base)/é/\($0)" })
      #expect(trail.path == "\(base)/é/\(result)")
      #expect(file.path == trail.path)
      #expect(FilePath.hasLink(path) == !links.isEmpty)
    }
    check([], "dir/file")
    // A directory becomes a link.
    try manager.createSymbolicLink(atPath: base + "/é/dir", withDestinationPath: "first")
    check(["dir"], "first/file")
    // The file becomes one.
    try manager.createSymbolicLink(atPath: base + "/é/first/file", withDestinationPath: "other")
    check(["dir", "first/file"], "first/other")
    try manager.removeItem(atPath: base + "/é/dir")
    try manager.createDirectory(atPath: base + "/é/dir", withIntermediateDirectories: true)
    check([], "dir/file")
    try manager.createSymbolicLink(atPath: base + "/é/dir/file", withDestinationPath: "/missing")
    #expect(FilePath.hasLink(path) && !FilePath.hasLink(base + "/é/dir") && !FilePath.hasLink("/"))
    #expect(file.follow().path == "/missing")
  }
}
