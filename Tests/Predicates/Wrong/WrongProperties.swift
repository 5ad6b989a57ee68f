// Mistakes with records whose properties are their columns: see WrongPredicates.swift.
// swift-format-ignore-file
import Storage

struct Order: Codable, FetchableRecord, PersistableRecord {
  enum Status: String, Codable, DatabaseValueConvertible { case open, completed }
  enum Level: String, Codable { case low }

  var id: Int
  var name: String
  var note: String?
  var price: Double
  var isPaid: Bool
  var status: Status
  var level: Level
  var tags: [String]
}

struct Mixed: Codable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  enum Columns { static let name = Column("name") }
}

struct OnlyDecodable: Decodable { var id: Int }

func properties(_ db: Database, text: String, optional: Int?) throws {
  _ = Order.filter { $0.nme == "x" }  // error at: nme // says: no dynamic member 'nme' using key path from root type 'Order'
  _ = Order.filter { $0.id == 1 && $0.nme == "x" && $0.isPaid }  // error at: nme // says: no dynamic member 'nme'
  _ = Order.all().select { [$0.id, $0.nme] }  // error at: nme // says: no dynamic member 'nme'
  _ = Order.Columns.nme  // error at: nme // says: no dynamic member 'nme'
  _ = Order.columns.nme  // error at: nme // says: no dynamic member 'nme'
  _ = TableAlias<Order>().nme  // error at: nme // says: no dynamic member 'nme'
  try Order.updateAll(db) { $0.nme.set(to: 1) }  // error at: nme // says: no dynamic member 'nme'
  _ = Order.order(\.titel)  // error at: order // says: a Decodable record has a column for each stored property
  _ = Order.order(\.name.descending)  // error at: order // says: or the column no such member
  _ = Order.order(\.titel.desc)  // error at: order // says: the record type has no such column
  _ = Order.all().order(\.name, \.titel)  // error at: order // says: the record type has no such column
  _ = Order.order(Column("price").desc, \.name)  // error at: order // says: write columns in a closure
  _ = Order.all().order(Column("price"), \.name, \.id)  // error at: order // says: write columns in a closure
  _ = Order.select(\.titel)  // error at: select // says: the record type has no such column
  _ = Order.all().group(\.titel)  // error at: group // says: the record type has no such column
  _ = Order.filter(\.name)  // error at: filter // says: the record type has no such column of type Bool
  _ = Order.filter { $0.name == 5 }  // error at: == 5 // says: the types differ: compare with a value of the type that the column has
  _ = Order.filter { $0.isPaid && $0.id == text }  // error at: == text // says: the types differ
  _ = Order.filter { $0.id == optional }  // error at: == optional // says: the types differ
  _ = Order.filter { $0.note < 5 && $0.isPaid }  // error at: < 5 // says: the types differ
  _ = Order.filter { $0.id == $0.name }  // error at: == $0.name // says: compare left.untyped with right.untyped
  _ = Order.filter { $0.status == .complete }  // error at: complete
  _ = Order.filter { $0.level == .low }  // error at: == .low // says: requires that 'Order.Level' conform to 'DatabaseValueConvertible'
  _ = Order.filter { $0.tags == "a" }  // error at: == "a" // says: TypedColumn<[String]>
  _ = Mixed.filter { $0.id == 1 }  // error at: id // says: type 'Mixed.Columns' has no member 'id'
  _ = Mixed.order(\.id)  // error at: order // says: others are declared in its Columns
  try Order.updateAll(db) { $0.id.set(to: "x") }  // error at: "x"
  try Order.updateAll(db) { $0.price = 1 }  // error at: updateAll // says: assign columns with set(to:)
}

// The names of other libraries for the same functions.
func otherNames(_ db: Database) throws {
  _ = Order.where { $0.id == 1 }  // error at: where // says: type 'Order' has no member 'where'
  _ = Order.order(by: \.name)  // error at: (by: \.name) // says: extraneous argument label 'by:' in call
  try Order.filter { $0.id == 1 }.update(db) { $0.name.set(to: "x") }  // error at: update // says: write updateAll(db)
  try Order.all().asRequest(of: OnlyDecodable.self).fetchAll(db)  // error at: fetchAll // says: conform to 'Fetchable'
}
