/// Ten values of several types, used as the arguments of an insertion.
struct Sale {
  var number: Int
  var customer: String
  var product: String
  var quantity: Int
  var price: Double
  var discount: Double
  var total: Double
  var note: String?
  var clerk: Int
  var rating: Int
}

extension Sale {
  /// Creates the `number`-th sale.
  init(number: Int) {
    self.init(
      number: number,
      customer: "buyer \(number % 1000)",
      product: "product number \(number % 5000)",
      quantity: number % 12,
      price: Double(number % 10_000) / 8,
      discount: Double(number % 16) / 16,
      total: Double(number) * 1.5,
      note: number.isMultiple(of: 3) ? "note \(number)" : nil,
      clerk: number % 97,
      rating: number % 5
    )
  }
}

extension Sale {
  /// The SQL that creates the table.
  static let creation = """
    CREATE TABLE sale (
      number INTEGER NOT NULL, customer TEXT NOT NULL, product TEXT NOT NULL,
      quantity INTEGER NOT NULL, price REAL NOT NULL, discount REAL NOT NULL, total REAL NOT NULL,
      note TEXT, clerk INTEGER NOT NULL, rating INTEGER NOT NULL
    )
    """

  /// The SQL that inserts a row.
  static let insertion = """
    INSERT INTO sale
      (number, customer, product, quantity, price, discount, total, note, clerk, rating)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  /// The SQL that reduces the table to one number. All terms are multiples of 1/16, so that the
  /// order of the rows does not matter.
  static let checksum = """
    SELECT count(*) + 16 * sum(number + 2 * quantity + 3 * price + 5 * discount + 7 * total
      + 11 * clerk + 13 * rating + 17 * length(customer) + 19 * length(product)
      + 23 * coalesce(length(note), -1))
    FROM sale
    """
}
