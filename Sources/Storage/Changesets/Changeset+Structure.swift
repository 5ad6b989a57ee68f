internal import CWellspringSQLite
internal import Foundation

extension Changeset {
  /// Checks that the names of tables end within the data. SQLite 3.40 searches for the end of a
  /// name that has none for ever. SQLite itself checks everything else.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT`.
  func checkTableNames() throws {
    guard data.withUnsafeBytes(Self.endsWithinTableName) else { return }
    throw DatabaseError(code: CWellspringSQLite.SQLITE_CORRUPT, connection: nil)
  }

  /// Walks through the tables and their changes. What SQLite refuses ends the walk.
  /// https://www.sqlite.org/session/changeset_start.html
  private static func endsWithinTableName(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    var columnCount = 0
    var keyCount = 0
    var isPatchset = false
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "T"), UInt8(ascii: "P"):
        isPatchset = bytes[index] == UInt8(ascii: "P")
        index += 1
        columnCount = number(bytes, &index)
        guard columnCount <= 65_536 else { return false }
        let end = index + columnCount
        keyCount = bytes[min(index, bytes.count)..<min(end, bytes.count)].count { $0 != 0 }
        index = end
        while index < bytes.count, bytes[index] != 0 { index += 1 }
        guard index < bytes.count else { return true }
        index += 1
      case let operation where [9, 18, 23].contains(operation):
        index += 2
        // A patchset has the keys of deleted rows, and no old values of updated rows.
        let valueCount =
          switch (operation, isPatchset) {
          case (23, false): 2 * columnCount
          case (9, true): keyCount
          default: columnCount
          }
        for _ in 0..<valueCount {
          guard skipValue(bytes, &index) else { return false }
        }
      default:
        return false
      }
    }
    return false
  }

  private static func skipValue(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    guard index < bytes.count else { return false }
    let type = bytes[index]
    index += 1
    switch type {
    case 1, 2: index += 8
    case 3, 4:
      let count = number(bytes, &index)
      guard count <= bytes.count - index else { return false }
      index += count
    // Also of a type that SQLite does not know, which it reads as a value without bytes.
    default: break
    }
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
