import Foundation
import Testing
import TestSupport
import WellspringSystem

@testable import Storage
@testable import StorageTestSupport

@Suite struct WALPresenceTests {
  struct State: Sendable {
    let journal: ForeignFile.Journal
    /// The size of the WAL; `nil` if there is no WAL.
    let log: Int?
    let isUsed: Bool
    let hasContent: Bool
  }

  @Test(arguments: [
    State(journal: .delete, log: nil, isUsed: false, hasContent: false),
    State(journal: .delete, log: 0, isUsed: false, hasContent: false),
    State(journal: .delete, log: 32, isUsed: true, hasContent: true),
    State(journal: .wal, log: nil, isUsed: false, hasContent: false),
    State(journal: .wal, log: 0, isUsed: true, hasContent: false),
    State(journal: .wal, log: 32, isUsed: true, hasContent: true),
  ])
  func `a WAL counts by its size and by the mode of the file`(state: State) throws {
    let file = try ForeignFile(state.journal)
    if let size = state.log { try Data(count: size).write(to: URL(filePath: file.path + "-wal")) }
    let probes = FileProbes()
    #expect(WALPresence.isUsed(path: file.path, probes: probes) == state.isUsed)
    #expect(WALPresence.hasContent(path: file.path) == state.hasContent)
    let probe = try #require(probes.probe(file.path))
    #expect(WALPresence.isInWALMode(probe) == (state.journal == .wal))
  }

  @Test func `an empty file has no mode`() throws {
    let directory = TemporaryDirectory()
    let path = directory.file()
    try Data().write(to: URL(filePath: path))
    let probe = try #require(FileProbes().probe(path))
    #expect(WALPresence.isInWALMode(probe) == nil)
  }
}
