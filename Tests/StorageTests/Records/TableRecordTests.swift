import Storage
import Testing

@Suite struct TableRecordTests {
  struct HTTPRequest: TableRecord {}
  struct URL: TableRecord {}
  struct A: TableRecord {}
  struct PlayerID: TableRecord {}
  struct lowercase: TableRecord {}
  struct Box<Value>: TableRecord {}
  struct Ärende: TableRecord {}
  struct Renamed: TableRecord { static let databaseTableName = "My Items" }

  @Test func `the name of a table follows from the type`() {
    #expect(Item.databaseTableName == "item")
    #expect(HTTPRequest.databaseTableName == "httpRequest")
    #expect(URL.databaseTableName == "url")
    #expect(A.databaseTableName == "a")
    #expect(PlayerID.databaseTableName == "playerID")
    #expect(lowercase.databaseTableName == "lowercase")
    #expect(Ärende.databaseTableName == "ärende")
  }

  @Test func `the arguments of a generic type are no part of the name`() {
    #expect(Box<Int>.databaseTableName == "box")
    #expect(Box<[Box<HTTPRequest>]>.databaseTableName == "box")
  }

  @Test func `the place of a type is no part of the name`() {
    struct LocalItem: TableRecord {}
    #expect(LocalItem.databaseTableName == "localItem")
  }

  @Test func `a type may name its table itself`() {
    #expect(Renamed.databaseTableName == "My Items")
  }
}
