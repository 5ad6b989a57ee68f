internal import Foundation
package import Storage

/// The schema of a database, as 16 bytes to compare.
///
/// Two databases with equal fingerprints have the same tables, indexes, views and triggers, made by
/// the same text. Tables of the replication itself do not count, and neither does the place of the
/// rows in the file.
package struct SchemaFingerprint: Hashable, Sendable {
  package let bytes: [UInt8]

  /// Reads the schema.
  ///
  /// - Throws: `DatabaseError`.
  package init(_ db: Database) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, name, tbl_name, sql FROM main.sqlite_schema
        WHERE lower(tbl_name) NOT LIKE '\\_replication%' ESCAPE '\\'
        ORDER BY type, name, tbl_name
        """
    )
    var text: [UInt8] = []
    for row in rows {
      for value in [row[0], row[1], row[2], row[3]] as [Data?] {
        // A length before each text keeps texts from running into each other. A text need not be
        // valid UTF-8.
        text.append(contentsOf: "\(value?.count ?? -1):".utf8)
        text.append(contentsOf: value ?? Data())
      }
    }
    bytes = Self.hash(text, 0xCBF2_9CE4_8422_2325) + Self.hash(text, 0x9AE1_6A3B_2F90_404F)
  }

  /// FNV-1a, with a final mix. It tells accidents apart, and is not protection against attacks.
  private static func hash(_ text: [UInt8], _ seed: UInt64) -> [UInt8] {
    var hash = seed
    for byte in text { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return (0..<8).map { UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)) }
  }
}
