internal import CWellspringSQLite
internal import Foundation

extension Changeset {
  /// Checks that all tables, changes and values lie within the data. SQLite 3.40 reads beyond the
  /// end of data that is cut off, or searches for the end of a name for ever.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT`.
  func checkStructure() throws {
    guard data.withUnsafeBytes(Self.isWhole) else {
      throw DatabaseError(code: CWellspringSQLite.SQLITE_CORRUPT, connection: nil)
    }
  }

  /// Walks through the tables and their changes.
  /// https://www.sqlite.org/session/changeset_start.html
  private static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var columnCount = 0
    var keyCount = 0
    var isPatchset = false
    while index < bytes.count {
      let kind = bytes[index]
      switch kind {
      case UInt8(ascii: "T"), UInt8(ascii: "P"):
        isPatchset = kind == UInt8(ascii: "P")
        index += 1
        columnCount = number(bytes, &index)
        guard columnCount > 0, columnCount < bytes.count - index else { return false }
        keyCount = bytes[index..<index + columnCount].count { $0 != 0 }
        index += columnCount
        // The name of the table.
        guard let end = bytes[index...].firstIndex(of: 0) else { return false }
        index = end + 1
      case 9, 18, 23:
        index += 2
        // A patchset has the keys of deleted rows, and no old values of updated rows.
        let valueCount =
          switch (kind, isPatchset) {
          case (23, false): 2 * columnCount
          case (9, true): keyCount
          default: columnCount
          }
        guard valueCount > 0 else { return false }
        for _ in 0..<valueCount {
          guard skipValue(bytes, &index) else { return false }
        }
      default:
        return false
      }
    }
    return true
  }

  private static func skipValue(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    guard index < bytes.count else { return false }
    let type = bytes[index]
    index += 1
    let size: Int
    switch type {
    case 0, 5: size = 0
    case 1, 2: size = 8
    case 3, 4: size = number(bytes, &index)
    default: return false
    }
    guard size >= 0, size <= bytes.count - index else { return false }
    index += size
    return true
  }

  /// Reads a number of one to nine bytes, or what there is of one that is cut off.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int {
    var number: UInt64 = 0
    for position in 0..<9 {
      guard index < bytes.count else { break }
      let byte = bytes[index]
      index += 1
      if position == 8 { return Int(clamping: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int(clamping: number) }
    }
    return Int(clamping: number)
  }
}
