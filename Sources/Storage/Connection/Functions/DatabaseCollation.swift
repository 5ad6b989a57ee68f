public import FoundationEssentials

/// A string order written in Swift, by which SQL can compare and sort.
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
