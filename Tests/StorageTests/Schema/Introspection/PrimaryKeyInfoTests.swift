import Storage
import Testing

@testable import StorageTestSupport

@Suite struct PrimaryKeyInfoTests {
  @Test func `the kinds of primary keys are distinguished`() throws {
    try withLeague { db in
      let player = try db.primaryKey("player")
      #expect(player.columns == ["id"])
      #expect(player.rowIDColumn == "id")
      #expect(player.isRowID && player.tableHasRowID)
      let country = try db.primaryKey("country")
      #expect(country.columns == ["isoCode"])
      #expect(country.rowIDColumn == nil)
      #expect(!country.isRowID && !country.tableHasRowID)
      let citizenship = try db.primaryKey("citizenship")
      #expect(citizenship.columns == ["playerID", "countryCode"])
      #expect(citizenship.tableHasRowID)
      let note = try db.primaryKey("note")
      #expect(note.columns == ["rowid"])
      #expect(note.rowIDColumn == nil)
      #expect(note.isRowID)
    }
  }
}
