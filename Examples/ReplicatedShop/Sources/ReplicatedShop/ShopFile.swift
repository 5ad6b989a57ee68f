import Foundation
import Sharing

/// The file of a node that has ended.
public enum ShopFile {
  /// Reads the file.
  ///
  /// - Returns: The rows of all tables of the shop as text, the keys of the sales, and the orders
  ///   that were sold more than once.
  /// - Throws: `DatabaseError` when it cannot be read.
  public static func content(
    of file: URL
  ) throws -> (dump: String, sales: Set<Int64>, doubled: [String]) {
    let database = try DatabaseQueue(path: file.path)
    return try database.read { db in
      let dump = DumpText()
      try db.dumpTables(["item", "sale", "sqlite_sequence", "wellspring_writes"], to: dump)
      let sales = try Sale.fetchAll(db)
      let orders = Dictionary(grouping: sales, by: \.orderID)
      return (dump.text, Set(sales.map(\.id)), orders.filter { $0.value.count > 1 }.keys.sorted())
    }
  }

  private final class DumpText: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }
}
