// Mistakes with live queries: see WrongPredicates.swift.
// swift-format-ignore-file
import Sharing

struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
}

struct Unfetchable: Codable, Sendable {
  var id: Int
}

func readers() async {
  @SharedReader(.fetchEverything(Item.all())) var unknown: [Item]  // error at: fetchEverything // says: has no member 'fetchEverything'
  @SharedReader(.fetchAll(Item.everything)) var noRequest: [Item]  // error at: everything // says: type 'Item' has no member 'everything'
  @SharedReader(.fetchAll(Item.all)) var noCall: [Item]  // error at: fetchAll // says: call the function that returns the request, as in Item.all()
  @SharedReader(.fetchAll(Item.order(\.nme))) var unknownColumn: [Item]  // error at: order // says: the record type has no such column
  @SharedReader(.fetchOne(Item.all())) var noValue: Item  // error at: SharedReader // says: give the variable a value to show until the first fetch
  @SharedReader(.fetchOne(sql: "SELECT count(*) FROM item")) var noCount: Int  // error at: SharedReader // says: give the variable a value to show until the first fetch
  @SharedReader(.fetchAll(Item.filter { $0.nme == "cup" })) var unknownProperty: [Item]  // error at: nme // says: has no dynamic member 'nme'
  @SharedReader(.fetchAll(Item.filter { $0.name < 5 })) var otherType: [Item]  // error at: < // says: the types differ
  @SharedReader(.fetchCount(Item.filter { $0.nme == "cup" })) var count = 0  // error at: nme // says: has no dynamic member 'nme'
  @SharedReader(.fetchAll(Item.all().orderd(by: 1))) var unknownMethod: [Item]  // error at: orderd // says: has no member 'orderd'
  @SharedReader(.fetchAll(Item.all())) var otherElement: [String]  // error at: SharedReader // says: requires the types '[String]' and
  @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var unfetchable: [Unfetchable]  // error at: fetchAll // says: requires that 'Unfetchable' conform to 'Fetchable'
  @SharedReader(.fetchAll(sql: "SELECT * FROM item")) var noType  // error at: fetchAll // says: give the variable a type
  @SharedReader(.fetchOne(sql: "SELECT * FROM item")) var noTypeOfOne  // error at: fetchOne // says: give the variable a type or a value
  @SharedReader(Item.all()) var noKey: [Item]  // error at: SharedReader // says: write .fetchAll(…), .fetchOne(…) or .fetchCount(…) around the request
  @SharedReader(sql: "SELECT * FROM item") var noKeyForSQL: [Item]  // error at: SharedReader // says: write .fetchAll(sql: …) or .fetchOne(sql: …) around the query
  @SharedReader(.fetchAll(Item.all())) var items: [Item]
  for await value in items { _ = value }  // error at: items // says: requires '[Item]' to conform to 'AsyncSequence'
}
