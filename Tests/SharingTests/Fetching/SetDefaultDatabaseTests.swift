import Foundation
import Sharing
import Testing

/// The database of the process is set once, so that this needs a process of its own.
@Suite struct SetDefaultDatabaseTests {
  @Test func `keys read the database of the process`() async {
    await #expect(processExitsWith: .success) {
      let database = try await makeDatabase()
      setDefaultDatabase(database)
      @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var count = 0
      #expect(count == 2)
      exit($count.loadError == nil && count == 2 ? 0 : 1)
    }
  }
}
