import Storage
import Testing

@testable import StorageTestSupport

@Suite struct TableRecordTests {
  struct HTTPRequest: TableRecord {}
  struct URL: TableRecord {}
  struct A: TableRecord {}
  struct PlayerID: TableRecord {}
  struct lowercase: TableRecord {}
  struct Box<Value>: TableRecord {}
  struct Ärende: TableRecord {}
  struct Renamed: TableRecord { static let databaseTableName = "My Items" }

  @Test func `the default table name is derived from the type`() {
    #expect(Item.databaseTableName == "item")
    #expect(HTTPRequest.databaseTableName == "httpRequest")
    #expect(URL.databaseTableName == "url")
    #expect(A.databaseTableName == "a")
    #expect(PlayerID.databaseTableName == "playerID")
    #expect(lowercase.databaseTableName == "lowercase")
    #expect(Ärende.databaseTableName == "ärende")
  }

  @Test func `generic arguments are not part of the table name`() {
    #expect(Box<Int>.databaseTableName == "box")
    #expect(Box<[Box<HTTPRequest>]>.databaseTableName == "box")
  }

  @Test func `the enclosing scope of a type is not part of the table name`() {
    struct LocalItem: TableRecord {}
    #expect(LocalItem.databaseTableName == "localItem")
  }

  @Test func `a type can declare its table name`() {
    #expect(Renamed.databaseTableName == "My Items")
  }
}
