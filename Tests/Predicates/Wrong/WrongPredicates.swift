// Predicates and assignments with one mistake each. Scripts/predicates.sh expects an error in each
// marked line, at the marked text, and no other errors. Where the line ends with `// says: …`,
// the error must contain the text.
// swift-format-ignore-file
import Storage

struct Order: TableRecord {
  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let price = Column("price")
    static let isPaid = Column("isPaid")
  }
}

struct TypedOrder: TableRecord {
  enum Columns {
    static let id = TypedColumn<Int>("id")
    static let name = TypedColumn<String>("name")
    static let note = TypedColumn<String?>("note")
    static let price = TypedColumn<Double>("price")
    static let isPaid = TypedColumn<Bool>("isPaid")
  }
}

struct NoValue {}

func untyped(value: NoValue) {
  _ = Order.filter { $0.id == 1 && $0.nmae == "x" && $0.price > 10 }  // error at: nmae
  _ = Order.all().filter { $0.id == 1 && $0.nmae == "x" }  // error at: nmae
  _ = Order.filter { $0.nmae == "x" }  // error at: nmae
  _ = Order.filter { $0.id == 1 && $0.name == value && $0.price > 10 }  // error at: == value
  _ = Order.filter { $0.isPaid && [1, 2].contain($0.id) && $0.price > 10 }  // error at: contain
  _ = Order.filter { $0.isPaid && $0.name.lik("x") && $0.id > 1 }  // error at: lik
  _ = Order.all().group(\.id).having { max($0.nmae) > 4 }  // error at: nmae
  _ = Order.select { [$0.id, $0.nmae] }  // error at: nmae
  _ = Order.select { $0.nmae }  // error at: nmae
  _ = Order.order { [$0.id.desc, $0.nmae] }  // error at: nmae
  _ = Order.all().join(TypedOrder.self) { $1.nmae == $0.id }  // error at: nmae
}

// This includes TYP-13: only strings have a collation.
func typed(text: String, optional: Int?) {
  _ = TypedOrder.filter { $0.id == "x" }  // error at: == "x" // says: the types differ
  _ = TypedOrder.filter { $0.isPaid && $0.id == text }  // error at: == text // says: the types differ
  _ = TypedOrder.filter { $0.isPaid && $0.id.like("x") && $0.price > 10 }  // error at: like
  _ = TypedOrder.filter { $0.isPaid && $0.name && $0.price > 10 }  // error at: && $0.name
  _ = TypedOrder.filter { $0.price % 2 == 1 && $0.isPaid }  // error at: % 2
  _ = TypedOrder.filter { $0.isPaid && $0.id.collating(.nocase) == 1 }  // error at: collating
  _ = TypedOrder.filter { $0.isPaid && $0.note == 5 && $0.price > 10 }  // error at: == 5
  _ = TypedOrder.filter { $0.id == optional && $0.isPaid }  // error at: == optional // says: the types differ
  _ = TypedOrder.filter { 5 <= $0.note }  // error at: <= $0.note // says: the types differ
  _ = Order.filter { $0.name == .completed }  // error at: == .completed // says: requires that 'Column' conform to 'TypedExpressible'
  _ = TypedOrder.filter { $0.isPaid && ["a"].contains($0.id) }  // error at: "a"
  _ = TypedOrder.filter { $0.isPaid && (0...1.5).contains($0.id) }  // error at: contains
  _ = TypedOrder.filter { $0.isPaid && $0.id == $0.name }  // error at: == $0.name // says: compare left.untyped with right.untyped
  _ = TypedOrder.filter { $0.id < $0.price && $0.isPaid }  // error at: < $0.price // says: compare left.untyped with right.untyped
  _ = TypedOrder.filter { $0.note != $0.price }  // error at: != $0.price // says: convert with cast(_:as:)
  _ = TypedOrder.filter { $0.isPaid && abs($0.name) > 1 }  // error at: abs
  _ = TypedOrder.select { $0.nmae }  // error at: nmae
}

func assignments(_ db: Database) throws {
  try Order.updateAll(db) { $0.nmae.set(to: 1) }  // error at: nmae
  try Order.updateAll(db) { [$0.id += 1, $0.nmae += 1] }  // error at: nmae
  try TypedOrder.updateAll(db) { $0.id.set(to: "x") }  // error at: "x"
  try TypedOrder.updateAll(db) { [$0.price += 1, $0.id += "x"] }  // error at: += "x"
  try TypedOrder.updateAll(db) { [$0.price += 1, $0.name -= "x"] }  // error at: -= "x"
  _ = try Order.updateAll(db) { $0.id = 1 }  // error at: updateAll // says: assign columns with set(to:)
  _ = try Order.filter { $0.id == 1 }.updateAll(db) { $0.name = "x" }  // error at: updateAll // says: assign columns with set(to:)
  _ = try TypedOrder.updateAll(db) { $0.note = nil }  // error at: updateAll // says: assign columns with set(to:)
  try Order.updateAll(db) { $0.price = $0.price + 1 }  // error at: updateAll // says: assign columns with set(to:)
  try Table<Order>("orders").updateAll(db) { $0.price = 1 }  // error at: updateAll // says: assign columns with set(to:)
}

enum Color: String { case red, green }

// An enum that is not a value of the database.
func rawValues(_ db: Database, color: Color) throws {
  _ = Order.filter { $0.name == Color.red }  // error at: == Color.red // says: declare enum Color: String, DatabaseValueConvertible
  _ = Order.filter { $0.name != color && $0.id > 1 }  // error at: != color // says: compare with .rawValue
  _ = Order.filter { [Color.red].contains($0.name) }  // error at: contains // says: map the elements to their rawValue
  try Order.updateAll(db) { $0.name.set(to: color) }  // error at: set(to: // says: assign the rawValue
}

func strings() {
  _ = Order.filter("id = 1")  // error at: filter // says: write filter(sql:arguments:)
  _ = Order.all().filter("id = 1")  // error at: filter // says: write filter(sql:arguments:)
  _ = Table("orders").filter { _ in Column("id") == 1 }  // error at: filter // says: write filter(Column("name") == …)
}

struct Bare: TableRecord {
  var id = 1
  var name = ""
}

func selections() {
  _ = Order.select("name")  // error at: select // says: write Column("name") for a column
  _ = Order.all().select("id", "name")  // error at: select // says: write Column("name") for a column
  _ = Order.order("name")  // error at: order // says: write Column("name") for a column
  _ = Order.all().order("name")  // error at: order // says: write Column("name") for a column
  _ = Order.select([Column("id"), "name"])  // error at: "name" // says: 'any SQLSelectable'
  _ = Order.order([Column("id"), "name"])  // error at: "name" // says: 'any SQLOrderingTerm'
}

// A record that is not Decodable, and declares no columns.
func undeclared() {
  _ = Bare.filter { $0.id == 1 }  // error at: id // says: requires that 'Bare' conform to 'Decodable'
  _ = Bare.all().select { [$0.id] }  // error at: id // says: requires that 'Bare' conform to 'Decodable'
  _ = Bare.order { $0.name.desc }  // error at: name // says: requires that 'Bare' conform to 'Decodable'
  _ = Order.order(\.titel)  // error at: order // says: the record type has no such column
  _ = Order.all().select(\.id, \.titel)  // error at: select // says: the record type has no such column
}

func functions() {
  let conforms = TypedFunction("conforms") { (type: String, level: Int) in type.count > level }
  _ = TypedOrder.filter { $0.isPaid && conforms($0.id, 1) }  // error at: conforms
  _ = TypedOrder.filter { $0.isPaid && conforms($0.name, "1") }  // error at: conforms
}

extension Order {
  static let typed = belongsTo(TypedOrder.self)
}

extension TypedOrder {
  static let orders = hasMany(Order.self)
}

func associations() {
  _ = Order.including(required: Order.typde)  // error at: typde
  _ = Order.including(required: Order.typed.filter { $0.nmae == "x" })  // error at: nmae
  _ = TypedOrder.including(all: TypedOrder.orders.order { $0.nmae })  // error at: nmae
  _ = TypedOrder.including(all: Order.typed)  // error at: including
  _ = Order.including(all: Order.typed)  // error at: including
  _ = Order.including(required: TypedOrder.orders)  // error at: including // says: 'Order' and 'HasManyAssociation<TypedOrder, Order>.OriginRowDecoder'
  _ = Order.all().including(optional: TypedOrder.orders)  // error at: including // says: (aka 'TypedOrder')
  _ = Order.joining(required: Order.typed.joining(required: Order.typed))  // error at: joining(required: Order.typed)) // says: (aka 'Order')
  _ = Table<Order>("order").including(required: TypedOrder.orders)  // error at: including
  _ = TypedOrder.annotated(withOptional: TypedOrder.orders.select { $0.nmae })  // error at: nmae
  _ = Order.hasMany(TypedOrder.self, through: TypedOrder.orders, using: Order.typed)  // error at: hasMany
  _ = Order.association(to: Table("x")) { $0.nmae == $1[Column("id")] }  // error at: nmae
  _ = Order.belongsTo(5)  // error at: belongsTo
}

func aggregates() {
  _ = TypedOrder.having(Order.typed.count > 1)  // error at: count
  _ = Order.having(TypedOrder.orders.count > 1)  // error at: > 1
  _ = Order.annotated(with: TypedOrder.orders.count)  // error at: count
  _ = TypedOrder.annotated(with: TypedOrder.orders.max { $0.nmae })  // error at: nmae
  _ = TypedOrder.having(TypedOrder.orders.max { $0.nmae } > 1)  // error at: nmae
}
