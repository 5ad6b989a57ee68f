import Foundation
import Sharing

/// The file of a node that has ended.
public enum ShopFile {
  /// Reads the file.
  ///
  /// - Returns: The rows of all tables of the shop as text, and the keys of the sales.
  /// - Throws: `DatabaseError` when it cannot be read.
  public static func content(of file: URL) throws -> (dump: String, sales: Set<Int64>) {
    let database = try DatabaseQueue(path: file.path)
    return try database.read { db in
      let dump = DumpText()
      try db.dumpTables(["item", "sale", "sqlite_sequence"], to: dump)
      return (dump.text, try Set(Sale.fetchAll(db).map(\.id)))
    }
  }

  private final class DumpText: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }
}
