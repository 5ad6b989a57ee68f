internal import CWellspringSQLite
public import FoundationEssentials

extension Database {
  /// The name of a collation, which defines how strings are compared and sorted.
  public struct CollationName: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates the name of a collation.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Creates the name of a collation.
    public init(_ rawValue: String) {
      self.init(rawValue: rawValue)
    }

    /// Compares byte by byte: SQLite's default.
    public static let binary = CollationName("BINARY")
    /// Ignores the case of ASCII letters.
    public static let nocase = CollationName("NOCASE")
    /// Ignores spaces at the end.
    public static let rtrim = CollationName("RTRIM")
  }
}

/// A string order written in Swift, for comparisons and sorting in SQL.
///
///     let plain = DatabaseCollation("plain") { left, right in
///       left.compare(right, options: .diacriticInsensitive)
///     }
///     db.add(collation: plain)
///     Restaurant.order { $0.name.collating(plain) }
///     // SELECT * FROM "restaurant" ORDER BY "name" COLLATE plain
///
/// A collation belongs to the connection that it was added to. To add it to all connections of a
/// pool, use ``Configuration/prepareDatabase(_:)``. An index that uses a collation stays valid only
/// as long as the collation gives the same order, in this and in every other process that writes
/// the file.
public struct DatabaseCollation: Sendable {
  /// The name by which SQL refers to the collation. Case does not matter.
  public let name: String

  private let compare: @Sendable (String, String) -> ComparisonResult

  /// Creates a collation.
  ///
  /// - Parameters:
  ///   - name: The name by which SQL refers to the collation.
  ///   - function: Compares two strings. It may be called on any thread.
  public init(
    _ name: String,
    function: @escaping @Sendable (String, String) -> ComparisonResult
  ) {
    precondition(
      !name.isEmpty && !name.utf8.contains(0),
      "A collation name must not be empty or contain a NUL character."
    )
    self.name = name
    compare = function
  }

  /// The context that SQLite keeps for a collation.
  final class Box {
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
  /// Adds a collation to the connection, or replaces the collation with its name.
  ///
  ///     configuration.prepareDatabase { db in db.add(collation: plain) }
  ///
  /// - Precondition: No statement of the connection is running when a collation is replaced.
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
  /// - Precondition: No statement of the connection is running.
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
      """
      A collation cannot be replaced or removed while statements that may use it are running. \
      Do it before the fetch, or after its cursors have ended.
      """
    )
  }
}

#if !WELLSPRING_WITHOUT_ICU
  internal import Foundation
#else
  internal import FoundationEssentials
#endif

// The collations of Swift's strings, which all connections have.

extension DatabaseCollation {
  /// Compares with Swift's `<`, which takes all Unicode forms of a character as equal.
  ///
  ///     Column("name").collating(.unicodeCompare)
  ///     // "name" COLLATE swiftCompare
  public static let unicodeCompare = DatabaseCollation("swiftCompare") { left, right in
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  #if !WELLSPRING_WITHOUT_ICU
    /// Ignores case.
    ///
    ///     Column("name").collating(.caseInsensitiveCompare) == "zoé"
    ///     // "name" = 'zoé' COLLATE swiftCaseInsensitiveCompare
    public static let caseInsensitiveCompare = DatabaseCollation("swiftCaseInsensitiveCompare") {
      $0.caseInsensitiveCompare($1)
    }

    /// Compares by the rules of the current locale, and ignores case.
    ///
    ///     Column("name").collating(.localizedCaseInsensitiveCompare)
    ///     // "name" COLLATE swiftLocalizedCaseInsensitiveCompare
    public static let localizedCaseInsensitiveCompare = DatabaseCollation(
      "swiftLocalizedCaseInsensitiveCompare"
    ) {
      $0.localizedCaseInsensitiveCompare($1)
    }

    /// Compares by the rules of the current locale.
    ///
    ///     Column("name").collating(.localizedCompare)
    ///     // "name" COLLATE swiftLocalizedCompare
    public static let localizedCompare = DatabaseCollation("swiftLocalizedCompare") {
      $0.localizedCompare($1)
    }

    /// Compares as users expect lists of files to be sorted: digits in strings compare as numbers.
    ///
    ///     Column("name").collating(.localizedStandardCompare)
    ///     // "name" COLLATE swiftLocalizedStandardCompare
    public static let localizedStandardCompare = DatabaseCollation("swiftLocalizedStandardCompare")
    {
      $0.localizedStandardCompare($1)
    }
  #endif

  /// The collations that are added to each connection when it opens.
  static let predefined: [DatabaseCollation] = {
    #if !WELLSPRING_WITHOUT_ICU
      [
        unicodeCompare, caseInsensitiveCompare, localizedCaseInsensitiveCompare, localizedCompare,
        localizedStandardCompare,
      ]
    #else
      [unicodeCompare]
    #endif
  }()
}
