import Foundation
import Storage
import TestSupport

/// Five tables with random keys and random foreign keys, and their rows.
struct RandomTables {
  /// The primary key of a table.
  enum KeyKind: CaseIterable {
    case integer, text, real, blob, integerAndText
  }

  /// A foreign key from one table to another, or to the same one.
  struct Link {
    let columns: [String]
    let target: Int
    /// Whether two rows cannot refer to the same row.
    let isUnique: Bool
  }

  struct Table {
    let name: String
    let kind: KeyKind
    let isWithoutRowID: Bool
    var links: [Link] = []
    var rows: [[String: DatabaseValue]] = []

    var key: [String] { kind == .integerAndText ? ["a", "b"] : ["id"] }
    var columns: [String] { key + ["n", "v"] + links.flatMap(\.columns) }
  }

  private(set) var tables: [Table] = []

  init(using random: inout SeededGenerator) {
    for index in 0..<5 {
      let kind = KeyKind.allCases.randomElement(using: &random)!
      tables.append(
        Table(name: "t\(index)", kind: kind, isWithoutRowID: random.chance(30))
      )
    }
    for index in tables.indices { addLinks(to: index, using: &random) }
    for index in tables.indices { addRows(to: index, using: &random) }
    for index in tables.indices { connectRows(of: index, using: &random) }
  }

  private mutating func addLinks(to index: Int, using random: inout SeededGenerator) {
    for number in 0..<random.number(in: 1..<4) {
      let target = random.number(in: 0..<tables.count)
      let name = "f\(number)"
      tables[index].links.append(
        Link(
          columns: tables[target].key.count == 1 ? [name] : [name + "a", name + "b"],
          target: target,
          isUnique: random.chance(25)
        )
      )
    }
  }

  private mutating func addRows(to index: Int, using random: inout SeededGenerator) {
    for number in 0..<random.number(in: 0..<9) {
      var row = ["n": number.databaseValue, "v": random.number(in: 0..<4).databaseValue]
      switch tables[index].kind {
      case .integer: row["id"] = (number * 3 - 5).databaseValue
      case .text: row["id"] = "k\(number)".databaseValue
      case .real: row["id"] = (Double(number) + 0.5).databaseValue
      case .blob: row["id"] = .init(storage: .blob(Data([UInt8(number), 0, 255])))
      case .integerAndText:
        row["a"] = (number / 3).databaseValue
        row["b"] = "b\(number % 3)".databaseValue
      }
      tables[index].rows.append(row)
    }
  }

  private mutating func connectRows(of index: Int, using random: inout SeededGenerator) {
    for link in tables[index].links {
      var free = tables[link.target].rows.shuffled(using: &random)
      for row in tables[index].rows.indices {
        let target = link.isUnique ? free.popLast() : free.randomElement(using: &random)
        let isNull = target == nil || random.chance(20)
        for (column, key) in zip(link.columns, tables[link.target].key) {
          tables[index].rows[row][column] = isNull ? .null : target![key]!
        }
        // A composite key with one NULL refers to no row.
        if link.columns.count > 1, random.chance(10) {
          tables[index].rows[row][link.columns[1]] = .null
        }
      }
    }
  }

  /// Creates the tables, and inserts their rows.
  func create(_ db: Database) throws {
    try db.execute(sql: "PRAGMA foreign_keys = OFF")
    for table in tables {
      let type = table.kind == .integer ? "INTEGER" : ""
      var parts = table.key.count == 1 ? ["id \(type) PRIMARY KEY"] : ["a", "b"]
      parts += ["n INTEGER NOT NULL UNIQUE", "v INTEGER NOT NULL"]
      parts += table.links.flatMap(\.columns)
      if table.key.count > 1 { parts.append("PRIMARY KEY (a, b)") }
      for link in table.links {
        let columns = link.columns.joined(separator: ", ")
        parts.append("FOREIGN KEY (\(columns)) REFERENCES t\(link.target)")
        if link.isUnique { parts.append("UNIQUE (\(columns))") }
      }
      let options = table.isWithoutRowID ? " WITHOUT ROWID" : ""
      try db.execute(
        sql: "CREATE TABLE \(table.name) (\(parts.joined(separator: ", ")))\(options)"
      )
      for row in table.rows {
        let marks = table.columns.map { _ in "?" }.joined(separator: ", ")
        try db.execute(
          sql:
            "INSERT INTO \(table.name) (\(table.columns.joined(separator: ", "))) VALUES (\(marks))",
          arguments: StatementArguments(table.columns.map { row[$0] ?? .null })
        )
      }
    }
    try db.checkForeignKeys()
  }
}
