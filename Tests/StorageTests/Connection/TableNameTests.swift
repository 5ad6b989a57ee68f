import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct TableNameTests {
  @Test func `like SQLite, names ignore the case of ASCII letters`() {
    let name = TableName(schema: "MAIN", name: "Item")
    #expect(name == TableName(schema: "main", name: "iTEM"))
    #expect(name.hashValue == TableName(schema: "main", name: "item").hashValue)
    #expect(name != TableName(schema: "temp", name: "item"))
    #expect(TableName(schema: "main", name: "ÄRA") != TableName(schema: "main", name: "ära"))
    #expect("ÄBC_1É".asciiLowercased == "Äbc_1É")
  }

  @Test func `the description leaves out the main schema`() {
    #expect(TableName(schema: "main", name: "Item").description == "item")
    #expect(TableName(schema: "Temp", name: "Item").description == "temp.item")
  }

  @Test func `SQLite's internal tables are recognized by their names`() {
    #expect(TableName(schema: "main", name: "SQLite_Sequence").isInternal)
    #expect(!TableName(schema: "main", name: "sqlitem").isInternal)
  }
}
