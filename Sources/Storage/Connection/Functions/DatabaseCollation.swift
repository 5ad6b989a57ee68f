internal import CWellspringSQLite
public import Foundation

/// An order of strings in Swift, by which SQL can compare and sort.
///
///     let plain = DatabaseCollation("plain") { left, right in
///       left.compare(right, options: .diacriticInsensitive)
///     }
///     db.add(collation: plain)
///     Restaurant.order { $0.name.collating(plain) }
///     // SELECT * FROM "restaurant" ORDER BY "name" COLLATE plain
///
/// A connection knows the collations that were added to it. Those of a pool are added to each of them, by
/// ``Configuration/prepareDatabase(_:)``. An index that uses a collation is sound only as long as the
/// collation gives the same order, here and in every other process that writes the file.
public struct DatabaseCollation: Sendable {
  /// The name, by which SQL calls the collation. Case does not matter.
  public let name: String

  private let compare: @Sendable (String, String) -> ComparisonResult

  /// Makes a collation.
  ///
  /// - Parameters:
  ///   - name: The name, by which SQL calls the collation.
  ///   - function: Compares two strings. It may be called on any thread.
  public init(
    _ name: String,
    function: @escaping @Sendable (String, String) -> ComparisonResult
  ) {
    precondition(
      !name.isEmpty && !name.utf8.contains(0),
      "The name of a collation is not empty, and holds no NUL."
    )
    self.name = name
    compare = function
  }

  /// What SQLite keeps of a collation.
  fileprivate final class Box {
    private let compare: @Sendable (String, String) -> ComparisonResult

    init(_ collation: DatabaseCollation) {
      compare = collation.compare
    }

    func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
      let order = compare(
        String(decoding: left, as: UTF8.self),
        String(decoding: right, as: UTF8.self)
      )
      return Int32(truncatingIfNeeded: order.rawValue)
    }
  }
}

extension Database {
  /// Adds a collation to the connection, or replaces the one that has its name.
  ///
  ///     configuration.prepareDatabase { db in db.add(collation: plain) }
  ///
  /// - Precondition: No statement of the connection runs when a collation is replaced.
  public func add(collation: DatabaseCollation) {
    let code = sqlite3_create_collation_v2(
      sqliteConnection,
      collation.name,
      SQLITE_UTF8,
      Unmanaged.passRetained(DatabaseCollation.Box(collation)).toOpaque(),
      { box, leftCount, left, rightCount, right in
        Unmanaged<DatabaseCollation.Box>.fromOpaque(box!).takeUnretainedValue().compare(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        )
      },
      { Unmanaged<DatabaseCollation.Box>.fromOpaque($0!).release() }
    )
    checkCollation(code)
  }

  /// Removes the collation with this name.
  ///
  /// - Precondition: No statement of the connection runs.
  public func remove(collation: DatabaseCollation) {
    checkCollation(
      sqlite3_create_collation_v2(
        sqliteConnection,
        collation.name,
        SQLITE_UTF8,
        nil,
        nil,
        nil
      )
    )
  }

  private func checkCollation(_ code: Int32) {
    precondition(
      code == SQLITE_OK,
      "A collation cannot be replaced or removed while statements run that may use it."
    )
  }
}

// MARK: - Swift's orders

extension DatabaseCollation {
  /// The order of Swift's `<`, in which all forms of a character are equal.
  ///
  ///     Column("name").collating(.unicodeCompare)
  ///     // "name" COLLATE swiftCompare
  public static let unicodeCompare = DatabaseCollation("swiftCompare") { left, right in
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  /// Without case.
  ///
  ///     Column("name").collating(.caseInsensitiveCompare) == "zoé"
  ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
  public static let caseInsensitiveCompare = DatabaseCollation("swiftCaseInsensitiveCompare") {
    $0.caseInsensitiveCompare($1)
  }

  /// By the rules of the current locale, without case.
  ///
  ///     Column("name").collating(.localizedCaseInsensitiveCompare)
  ///     // "name" COLLATE swiftLocalizedCaseInsensitiveCompare
  public static let localizedCaseInsensitiveCompare = DatabaseCollation(
    "swiftLocalizedCaseInsensitiveCompare"
  ) {
    $0.localizedCaseInsensitiveCompare($1)
  }

  /// By the rules of the current locale.
  ///
  ///     Column("name").collating(.localizedCompare)
  ///     // "name" COLLATE swiftLocalizedCompare
  public static let localizedCompare = DatabaseCollation("swiftLocalizedCompare") {
    $0.localizedCompare($1)
  }

  /// As people expect lists of files and the like to be sorted: numbers in texts count as numbers.
  ///
  ///     Column("name").collating(.localizedStandardCompare)
  ///     // "name" COLLATE swiftLocalizedStandardCompare
  public static let localizedStandardCompare = DatabaseCollation("swiftLocalizedStandardCompare") {
    $0.localizedStandardCompare($1)
  }

  /// What each connection has from its opening on.
  static let predefined = [
    unicodeCompare, caseInsensitiveCompare, localizedCaseInsensitiveCompare, localizedCompare,
    localizedStandardCompare,
  ]
}
