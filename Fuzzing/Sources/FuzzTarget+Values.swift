import Foundation
import Storage

extension FuzzTarget {
  /// Dates as text: a date that is read is stored as text that is read as the same date.
  static let dates = FuzzTarget(name: "dates") { data in
    let text = String(decoding: data, as: UTF8.self)
    if let date = Date.fromDatabaseValue(text.databaseValue) {
      precondition(!date.timeIntervalSince1970.isNaN, text)
      let again = Date.fromDatabaseValue(date.databaseValue)
      precondition(again.map { abs($0.timeIntervalSince(date)) < 0.002 } ?? false, text)
    }
    if let components = DatabaseDateComponents.fromDatabaseValue(text.databaseValue) {
      let stored = components.databaseValue
      precondition(DatabaseDateComponents.fromDatabaseValue(stored)?.databaseValue == stored, text)
    }
  }

  private struct Customer: Codable, FetchableRecord, PersistableRecord {
    struct Address: Codable {
      var street: String
      var numbers: [Int]
      var tags: [String: Double?]
    }

    static let databaseTableName = "customer"
    var address: Address?
  }

  /// Columns of JSON: a record is decoded or an error is thrown, and the record can be stored.
  static let json = FuzzTarget(name: "json") { data in
    memory.attempt { db in
      let text = String(decoding: data, as: UTF8.self)
      guard let customer = try? Customer.fetchOne(db, sql: "SELECT ? AS address", arguments: [text])
      else { return }
      try customer.insert(db)
    }
  }

  /// Paths in URIs: no text of a path is treated as a parameter, so that no file is made.
  static let uris = FuzzTarget(name: "uris") { data in
    let text = String(decoding: data, as: UTF8.self)
    let location = DatabaseLocation.uri(
      text,
      parameters: [.other(name: text, value: text), .mode(.memory)]
    )
    guard !text.isEmpty, let queue = try? DatabaseQueue(location) else { return }
    try? queue.close()
    let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    precondition(files.allSatisfy { $0.hasPrefix("uris.") }, text)
  }
}
