import Testing

@testable import Storage
@testable import StorageTestSupport

@Suite struct PersistenceContainerTests {
  @Test func `a container collects columns in order, and the last value of a column`() {
    var container = PersistenceContainer()
    container["id"] = 1
    container["name"] = "cup"
    container["price"] = Double?.none
    container["id"] = 2
    #expect(container.columns == ["id", "name", "price"])
    #expect(container.values == [2.databaseValue, "cup".databaseValue, .null])
  }

  @Test func `the case of ASCII letters in the name of a column does not matter`() {
    var container = PersistenceContainer()
    container["name"] = "cup"
    container["Name"] = "mug"
    container["été"] = 1
    container["Été"] = 2
    #expect(container.columns == ["name", "été", "Été"])
    #expect(container.values == ["mug".databaseValue, 1.databaseValue, 2.databaseValue])
    #expect((container["NAME"] as String?) == "mug")
    #expect((container["ÉTÉ"] as Int?) == nil)
  }

  @Test func `a record that spells a column in two ways stores the last value`() throws {
    struct Spelled: PersistableRecord {
      static let databaseTableName = "item"
      var name: String
      func encode(to container: inout PersistenceContainer) {
        container["id"] = 1
        container["name"] = "old \(name)"
        container["NAME"] = name
      }
    }
    try withDatabase { db in
      func names() throws -> [String] { try String.fetchAll(db, sql: "SELECT name FROM item") }
      for name in ["cup", "mug"] {
        try Spelled(name: name).insert(db)
        #expect(try names() == [name])
        try Spelled(name: name + "s").update(db)
        #expect(try names() == [name + "s"])
        try Spelled(name: name + "!").upsert(db)
        #expect(try names() == [name + "!"])
        try Item.deleteAll(db)
      }
    }
  }

  @Test func `a container returns values that were set, and nil for NULL and other columns`() {
    var container = PersistenceContainer()
    container["name"] = "cup"
    container["price"] = Double?.none
    #expect(!container.context.hasRead)
    #expect((container["name"] as String?) == "cup")
    #expect((container["price"] as Double?) == nil)
    #expect((container["stock"] as Int?) == nil)
    #expect(container.context.hasRead)
  }

  @Test func `the changes from another container are the old values of the columns that differ`() {
    var old = PersistenceContainer()
    old["id"] = 1
    old["name"] = "cup"
    var new = PersistenceContainer()
    new["id"] = 1
    new["name"] = "mug"
    new["price"] = 2
    new["note"] = String?.none
    #expect(new.changes(from: old) == ["name": "cup".databaseValue, "price": .null])
    #expect(new.changes(from: new).isEmpty)
  }

  @Test func `a text in another Unicode form is a change`() {
    var old = PersistenceContainer()
    old["name"] = "e\u{301}"
    var new = PersistenceContainer()
    new["name"] = "\u{E9}"
    #expect(new.changes(from: old) == ["name": "e\u{301}".databaseValue])
  }

  @Test func `a copy of a container changes on its own`() {
    var container = PersistenceContainer()
    container["name"] = "cup"
    var copy = container
    copy["name"] = "mug"
    copy["price"] = 2
    container["stock"] = 3
    #expect(container.columns == ["name", "stock"])
    #expect(container.values == ["cup".databaseValue, 3.databaseValue])
    #expect(copy.columns == ["name", "price"])
    #expect(copy.values == ["mug".databaseValue, 2.databaseValue])
  }
}
