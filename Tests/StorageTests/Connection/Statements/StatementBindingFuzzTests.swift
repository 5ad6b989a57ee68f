import CWellspringSQLite
import Foundation
import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Binds random values to statements with random parameters. SQLite's rendering of the bound
/// statement must contain the values that SQLite's documentation assigns to the parameters.
@Suite struct StatementBindingFuzzTests {
  struct Generator {
    var generator: SeededGenerator
    static let texts = ["", "cup", "it's", "''", "🫖", "a\nb", ":a", "?1", "--", "/*", "\\", "%s"]

    mutating func value() -> DatabaseValue {
      switch Int.random(in: 0...5, using: &generator) {
      case 0: .null
      case 1: Int64.random(in: .min ... .max, using: &generator).databaseValue
      case 2: Int.random(in: -9...9, using: &generator).databaseValue
      // SQLite writes at most fifteen digits of a number.
      case 3: (Double(Int.random(in: -99_999...99_999, using: &generator)) / 64).databaseValue
      case 4: Self.texts.randomElement(using: &generator)!.databaseValue
      default:
        Data(
          (0..<Int.random(in: 0...5, using: &generator)).map { _ in UInt8(generator.next() & 255) }
        )
        .databaseValue
      }
    }

    /// Returns random parameters, as they are written in SQL.
    mutating func parameters() -> [String] {
      (0..<Int.random(in: 1...8, using: &generator)).map { _ in
        switch Int.random(in: 0...5, using: &generator) {
        case 0: "?\(Int.random(in: 1...6, using: &generator))"
        case 1: ":" + ["a", "b", "c1", "A"].randomElement(using: &generator)!
        case 2: "@" + ["a", "d"].randomElement(using: &generator)!
        case 3: "$" + ["b", "e::f"].randomElement(using: &generator)!
        default: "?"
        }
      }
    }
  }

  /// Returns the number of each parameter, starting at 1, by the rules of
  /// https://www.sqlite.org/lang_expr.html#varparam.
  func numbers(_ parameters: [String]) -> [Int] {
    var highest = 0
    var known: [String: Int] = [:]
    return parameters.map { parameter in
      if parameter.hasPrefix("?"), let number = Int(parameter.dropFirst()) {
        highest = max(highest, number)
        return number
      }
      if let number = known[parameter] { return number }
      highest += 1
      if parameter != "?" { known[parameter] = highest }
      return highest
    }
  }

  func expand(_ statement: Statement) throws -> String {
    let text = try #require(sqlite3_expanded_sql(statement.sqliteStatement))
    defer { sqlite3_free(text) }
    return String(cString: text)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `STM-05, STM-06: every value is bound to its parameter`(seed: UInt64) throws {
    var random = Generator(generator: SeededGenerator(seed: seed))
    try withDatabase { db in
      for _ in 0..<500 {
        let parameters = random.parameters()
        let numbers = numbers(parameters)
        let count = numbers.max()!
        // Some of the named parameters get named values. A name applies to all prefixes.
        var named: [String: DatabaseValue] = [:]
        for parameter in parameters
        where !parameter.hasPrefix("?") && Bool.random(using: &random.generator) {
          named[String(parameter.dropFirst())] = random.value()
        }
        var values: [DatabaseValue?] = Array(repeating: nil, count: count)
        for (parameter, number) in zip(parameters, numbers) {
          if let value = named[String(parameter.dropFirst())], !parameter.hasPrefix("?") {
            values[number - 1] = value
          }
        }
        var positional: [DatabaseValue] = []
        for index in values.indices where values[index] == nil {
          let value = random.value()
          values[index] = value
          positional.append(value)
        }
        let expected = numbers.map { values[$0 - 1]! }

        let sql = "SELECT " + parameters.joined(separator: ", ")
        let statement = try db.makeStatement(sql: sql)
        let arguments = StatementArguments(positional) + StatementArguments(named)
        try statement.setArguments(arguments)
        #expect(try Row.fetchOne(statement)?.databaseValues == expected, "\(sql) \(arguments)")
        let expanded = try expand(statement)
        let literals = try #require(try Row.fetchOne(db, sql: expanded)).databaseValues
        #expect(literals == expected, "\(sql) \(arguments): \(expanded)")
        // One value less or more does not fit.
        if !positional.isEmpty {
          #expect(throws: DatabaseError.self) {
            try statement.setArguments(
              StatementArguments(positional.dropLast()) + StatementArguments(named)
            )
          }
        }
        #expect(throws: DatabaseError.self) { try statement.setArguments(arguments + [1]) }
        #expect(try expand(statement) == expanded, "a refused binding changes nothing")
      }
    }
  }
}
