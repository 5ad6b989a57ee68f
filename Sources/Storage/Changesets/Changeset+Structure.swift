internal import CWellspringSQLite
internal import FoundationEssentials

extension Changeset {
  /// Checks that all tables, changes and values lie within the data, and that each change has the
  /// values that it needs. SQLite 3.40 reads beyond the end of data that is cut off, searches for
  /// the end of a name for ever, and uses up the stack with values that are missing.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CORRUPT`, or an error that names the compile option
  ///   that SQLite lacks.
  func checkStructure() throws {
    try CompileOption.session.require(for: "changesets")
    guard data.withUnsafeBytes(Self.isWhole) else {
      throw DatabaseError(code: CWellspringSQLite.SQLITE_CORRUPT, connection: nil)
    }
  }

  /// Walks through the tables and their changes.
  /// https://www.sqlite.org/session/changeset_start.html
  private static func isWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    /// Whether each column of the table belongs to the primary key.
    var keys: Slice<UnsafeRawBufferPointer> = bytes[0..<0]
    var isPatchset = false
    /// The columns of each table, by its name in lowercase.
    var tables: [[UInt8]: Slice<UnsafeRawBufferPointer>] = [:]
    while index < bytes.count {
      let kind = bytes[index]
      index += 1
      switch kind {
      case UInt8(ascii: "T"), UInt8(ascii: "P"):
        isPatchset = kind == UInt8(ascii: "P")
        guard let columnCount = number(bytes, &index), columnCount > 0,
          columnCount < bytes.count - index
        else { return false }
        keys = bytes[index..<index + columnCount]
        guard keys.contains(where: { $0 != 0 }) else { return false }
        index += columnCount
        // The name of the table.
        guard let end = bytes[index...].firstIndex(of: 0) else { return false }
        // SQLite does not compare the columns where a table follows itself.
        let name = bytes[index..<end].map { (65...90).contains($0) ? $0 | 0x20 : $0 }
        let known = tables.updateValue(keys, forKey: name) ?? keys
        guard known.elementsEqual(keys) else { return false }
        index = end + 1
      case 9, 18, 23:
        // Whether the change is indirect.
        index += 1
        guard !keys.isEmpty, skipChange(kind, isPatchset, keys, bytes, &index) else {
          return false
        }
      default:
        return false
      }
    }
    return true
  }

  /// Skips the values of an insertion (18), a deletion (9) or an update (23).
  private static func skipChange(
    _ kind: UInt8,
    _ isPatchset: Bool,
    _ keys: Slice<UnsafeRawBufferPointer>,
    _ bytes: UnsafeRawBufferPointer,
    _ index: inout Int
  ) -> Bool {
    for key in keys {
      // A patchset has only the keys of deleted rows.
      if kind == 9, isPatchset, key == 0 { continue }
      let need: Need = key != 0 ? .key : kind == 23 ? .nothing : .value
      guard skipValue(bytes, &index, need) else { return false }
    }
    // The new values of an update. A patchset has no old ones.
    guard kind == 23, !isPatchset else { return true }
    return keys.allSatisfy { _ in skipValue(bytes, &index, .nothing) }
  }

  /// The requirement for the place of a value.
  private enum Need {
    case nothing
    /// A value or NULL.
    case value
    /// A value: rows with NULL in their keys are not recorded.
    case key
  }

  private static func skipValue(
    _ bytes: UnsafeRawBufferPointer,
    _ index: inout Int,
    _ need: Need
  ) -> Bool {
    guard index < bytes.count else { return false }
    let type = bytes[index]
    index += 1
    let size: Int
    switch type {
    case 0 where need != .nothing, 5 where need == .key: return false
    case 0, 5: size = 0
    case 1, 2: size = 8
    case 3, 4:
      guard let length = number(bytes, &index) else { return false }
      size = length
    default: return false
    }
    guard size >= 0, size <= bytes.count - index else { return false }
    index += size
    return true
  }

  /// Reads a number of one to nine bytes, or `nil` where it is cut off.
  private static func number(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int? {
    var number: UInt64 = 0
    for position in 0..<9 {
      guard index < bytes.count else { return nil }
      let byte = bytes[index]
      index += 1
      if position == 8 { return Int(clamping: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return Int(clamping: number) }
    }
    return nil
  }
}
