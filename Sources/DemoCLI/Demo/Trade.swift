internal import Storage

/// A transaction in the shop of the demo, which the writing process performs.
enum Trade: Equatable, Sendable {
  case order(itemID: Int64, quantity: Int64)
  case restock(itemID: Int64, quantity: Int64)
  case changePrice(itemID: Int64, price: Double)
  case addItem(name: String, price: Double, stock: Int64)
  case removeItem(itemID: Int64)
  /// All prices fall or rise, so many rows change in one transaction.
  case changeAllPrices(factor: Double)

  /// Returns a random next trade. The shop is never empty, and its table always fits a screen.
  static func random(
    in items: [Shop.Item],
    using random: inout some RandomNumberGenerator
  ) -> Trade {
    let absent = Shop.goods.filter { good in !items.contains { $0.name == good.name } }
    guard items.count > 5, let item = items.randomElement(using: &random) else {
      return addition(of: absent, using: &random)
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50 where item.stock > 0:
      let quantity = Int64.random(in: 1...min(3, item.stock), using: &random)
      return .order(itemID: item.id, quantity: quantity)
    case 0..<60:
      return .restock(itemID: item.id, quantity: .random(in: 4...14, using: &random))
    case 60..<84:
      let price = rounded(item.price * .random(in: 0.9...1.12, using: &random))
      // A small price may round to itself, but each trade should change something.
      let isSame = price == item.price
      return .changePrice(itemID: item.id, price: isSame ? rounded(price + 0.05) : price)
    case 84..<92 where !absent.isEmpty && items.count < 14:
      return addition(of: absent, using: &random)
    case 84..<97:
      return .removeItem(itemID: item.id)
    default:
      return .changeAllPrices(factor: Bool.random(using: &random) ? 0.95 : 1.05)
    }
  }

  private static func addition(
    of goods: [(name: String, price: Double)],
    using random: inout some RandomNumberGenerator
  ) -> Trade {
    let good = goods.randomElement(using: &random) ?? Shop.goods[0]
    return .addItem(
      name: good.name,
      price: good.price,
      stock: .random(in: 5...20, using: &random)
    )
  }

  /// Rounds a price to five cents, and to at least five cents.
  private static func rounded(_ price: Double) -> Double {
    max(0.05, (price * 20).rounded() / 20)
  }

  /// Performs the trade.
  func perform(_ db: Database) throws {
    switch self {
    case .order(let itemID, let quantity):
      try db.execute(
        sql: "UPDATE item SET stock = stock - ?2, sold = sold + ?2 WHERE id = ?1",
        arguments: [itemID, quantity]
      )
      try db.execute(
        sql: """
          INSERT INTO "order" (itemID, quantity, price) SELECT id, ?2, price FROM item WHERE id = ?1
          """,
        arguments: [itemID, quantity]
      )
    case .restock(let itemID, let quantity):
      try db.execute(
        sql: "UPDATE item SET stock = stock + ?2 WHERE id = ?1",
        arguments: [itemID, quantity]
      )
    case .changePrice(let itemID, let price):
      try db.execute(
        sql: "UPDATE item SET price = ?2 WHERE id = ?1",
        arguments: [itemID, price]
      )
    case .addItem(let name, let price, let stock):
      try db.execute(
        sql: "INSERT INTO item (name, price, stock) VALUES (?, ?, ?)",
        arguments: [name, price, stock]
      )
    case .removeItem(let itemID):
      try db.execute(sql: "DELETE FROM item WHERE id = ?", arguments: [itemID])
    case .changeAllPrices(let factor):
      try db.execute(
        sql: "UPDATE item SET price = max(0.05, round(price * ? * 20) / 20)",
        arguments: [factor]
      )
    }
  }
}
