@testable import Storage
import Testing

@Suite struct OpeningErrorTests {
  @Test func `a directory that is watched is named`() throws {
    let directory = TemporaryDirectory()
    var configuration = Configuration()
    configuration.readonly = true
    let error = #expect(throws: DatabaseError.self) {
      try DatabasePool(path: directory.path, configuration: configuration)
    }
    #expect(error?.message == "\(directory.path) is a directory")
  }

  @Test func `a path with a NUL is refused`() throws {
    let directory = TemporaryDirectory()
    #expect(throws: DatabaseError.self) { try DatabasePool(path: directory.file("a\0b")) }
  }

  @Test func `a pool in memory says why it cannot be`() {
    let error = #expect(throws: DatabaseError.self) { try DatabasePool(path: ":memory:") }
    #expect(error?.message?.contains("WAL") == true)
  }
}
