// Mistakes with live queries: see WrongPredicates.swift.
// swift-format-ignore-file
import Sharing

struct Item: Codable, Equatable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
}

func readers() async {
  @SharedReader(.fetchEverything(Item.all())) var unknown: [Item]  // error at: fetchEverything // says: has no member 'fetchEverything'
  @SharedReader(.fetchAll(Item.everything)) var noRequest: [Item]  // error at: everything // says: type 'Item' has no member 'everything'
  @SharedReader(.fetchAll(Item.all)) var noCall: [Item]  // error at: fetchAll // says: call the function that returns the request, as in Item.all()
  @SharedReader(.fetchAll(Item.order(\.nme))) var unknownColumn: [Item]  // error at: order // says: the record type has no such column
  @SharedReader(.fetchOne(Item.all())) var noValue: Item  // error at: SharedReader // says: give the variable a value to show until the first fetch
  @SharedReader(.fetchAll(Item.all())) var items: [Item]
  for await value in items { _ = value }  // error at: items // says: requires '[Item]' to conform to 'AsyncSequence'
}
