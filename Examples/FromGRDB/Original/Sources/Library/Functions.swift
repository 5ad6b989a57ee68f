import Foundation
import GRDB

extension DatabaseFunction {
  /// `initials('Ursula Le Guin')` is `'ULG'`.
  static let initials = DatabaseFunction("initials", argumentCount: 1, pure: true) { dbValues in
    guard let name = String.fromDatabaseValue(dbValues[0]) else {
      return nil
    }
    return String(name.split(separator: " ").compactMap(\.first))
  }

  /// `longest(title)` is the longest title of a group.
  static let longest = DatabaseFunction(
    "longest",
    argumentCount: 1,
    pure: true,
    aggregate: Longest.self
  )
}

struct Longest: DatabaseAggregate {
  private var text: String?

  init() {}

  mutating func step(_ dbValues: [DatabaseValue]) {
    guard let candidate = String.fromDatabaseValue(dbValues[0]) else { return }
    if candidate.count > text?.count ?? -1 {
      text = candidate
    }
  }

  func finalize() -> (any DatabaseValueConvertible)? {
    text
  }
}

extension DatabaseCollation {
  /// Compares names without the article in front of them.
  static let localizedNames = DatabaseCollation("localizedNames") { left, right in
    func key(_ name: String) -> String {
      let name = name.lowercased()
      return name.hasPrefix("the ") ? String(name.dropFirst(4)) : name
    }
    let (left, right) = (key(left), key(right))
    return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
  }
}
