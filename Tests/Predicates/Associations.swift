// Requests with associations, as deep as applications write them. No request may take the compiler
// more than 100 ms.
import Storage

struct Customer: Codable, TableRecord, FetchableRecord, EncodableRecord {
  var id: Int
  var name: String
  var city: String

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
    static let city = TypedColumn<String>("city")
  }

  static let purchases = hasMany(Purchase.self)
  static let items = hasMany(Item.self, through: purchases, using: Purchase.items)
}

struct Purchase: Codable, TableRecord, FetchableRecord, EncodableRecord {
  var id: Int
  var customerID: Int
  var price: Double

  enum Columns {
    static let id = Column("id")
    static let price = TypedColumn<Double>("price")
  }

  static let customer = belongsTo(Customer.self)
  static let items = hasMany(Item.self)
  static let invoice = hasOne(Invoice.self, key: "bill", using: ForeignKey(["purchaseID"]))
}

struct Item: Codable, TableRecord, FetchableRecord {
  var id: Int
  var name: String

  enum Columns {
    static let id = Column("id")
    static let name = Column("name")
  }

  static let purchase = belongsTo(Purchase.self)
  static let customer = hasOne(Customer.self, through: purchase, using: Purchase.customer)
}

struct Invoice: Codable, TableRecord, FetchableRecord {
  var number: Int
}

struct CustomerInfo: Decodable, FetchableRecord {
  struct PurchaseInfo: Decodable, FetchableRecord {
    var purchase: Purchase
    var bill: Invoice?
    var items: [Item]
  }
  var customer: Customer
  var purchases: [PurchaseInfo]
}

struct ItemInfo: FetchableRecord {
  var item: Item
  var purchase: Purchase
  var customer: Customer?
  var others: [Item]

  init(row: Row) throws {
    item = try Item(row: row)
    purchase = row["purchase"]
    customer = row["customer"]
    others = row["others"]
  }
}

func requests(_ customer: Customer, _ customers: [Customer], _ db: Database) throws {
  let alias = TableAlias(), purchase = TableAlias<Purchase>()
  _ = Customer.including(
    all: Customer.purchases.filter { $0.price > 10 && $0.id != 3 }.order(\.price.desc)
      .including(optional: Purchase.invoice)
      .including(all: Purchase.items.order(\.name).limit(3))
  ).filter { $0.city == "Rome" && $0.name > "A" }.order(\.name).asRequest(of: CustomerInfo.self)
  _ = Item.including(
    required: Item.purchase.aliased(purchase).including(optional: Purchase.customer)
  )
  .including(optional: Item.customer.forKey("buyer").select { [$0.name, $0.city] })
  .joining(required: Item.customer.filter { $0.city == "Rome" }.aliased(alias))
  .annotated(withRequired: Item.purchase.select { $0.price.forKey("total") })
  .filter { $0.name > "A" && purchase.price > 10 && alias[Column("name")] != nil }
  .order(purchase.price.desc, alias[Column("name")])
  .asRequest(of: ItemInfo.self)
  _ = try customer.request(for: Customer.items.filter { $0.name > "x" }).order(\.id).fetchAll(db)
  _ = customer.request(for: Customer.purchases.filter { $0.price > 3 }).filter { $0.id < 4 }
}

func tables(_ db: Database, _ limit: Int) throws {
  let customers = Table("customer"), purchases = Table<Purchase>("purchase")
  let orders = customers.hasMany(Table("purchase"), using: ForeignKey(["customerID"]))
  _ = customers.including(
    all: orders.filter(Column("price") > limit && Column("id") != 3).order(Column("price").desc)
      .including(optional: Table("purchase").belongsTo(Customer.self).filter { $0.city == "Rome" })
  ).filter(Column("name") > "A").order(Column("name"))
  _ = purchases.including(required: Purchase.customer.filter { $0.city == "Rome" && $0.id < limit })
    .including(all: Purchase.items.order(\.name).limit(3)).filter { $0.price > 10 }
  let best = CommonTableExpression<Row>(
    named: "best",
    request: Purchase.select { [$0.id, max($0.price).forKey("price")] }.group(Column("customerID"))
  )
  let association = Customer.association(to: best) { customer, best in
    best[Column("customerID")] == customer.id && best[Column("price")] > 10
      && (customer.city == "Rome" || customer.name.like("A%") || best[Column("price")] * 2 < limit)
  }
  let back = best.association(to: Purchase.self) { best, purchase in
    purchase.id == best[Column("id")] && purchase.price >= best[Column("price")] && purchase.id > 3
  }
  let pairs = Table("item").association(to: Table("item")) { left, right in
    left[Column("name")] == right[Column("name")] && left[Column("id")] < right[Column("id")]
  }
  _ = Customer.including(optional: association.joining(required: back)).with(best)
    .filter { $0.city == "Rome" && $0.name > "A" }.order(\.name)
  _ = Table("item").joining(required: pairs.forKey("double").filter(Column("id") > limit))
}
