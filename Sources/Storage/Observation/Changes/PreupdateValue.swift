internal import CWellspringSQLite

/// The values of a row in the preupdate hook.
enum PreupdateValue {
  /// Whether a value may stand for an integer that no real number equals.
  ///
  /// Some versions of SQLite take the affinity of another column for that of this one, and give an
  /// integer as the nearest real number.
  static func mayBeRounded(_ value: OpaquePointer) -> Bool {
    guard sqlite3_value_type(value) == SQLITE_FLOAT else { return false }
    let number = sqlite3_value_double(value)
    return abs(number) >= 0x1p53 && abs(number) <= 0x1p63
  }

  /// Returns whether two values differ in their type or in their content; `nil` if SQLite has no
  /// memory for the bytes of one. From then on, it gives that value as NULL.
  static func differs(_ old: OpaquePointer, _ new: OpaquePointer) -> Bool? {
    let type = sqlite3_value_type(old)
    guard type == sqlite3_value_type(new) else { return true }
    switch type {
    case SQLITE_NULL:
      return false
    case SQLITE_INTEGER:
      return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT:
      return sqlite3_value_double(old).bitPattern != sqlite3_value_double(new).bitPattern
    default:
      let count = sqlite3_value_bytes(old)
      guard count == sqlite3_value_bytes(new) else { return true }
      guard count > 0 else { return false }
      guard let left = sqlite3_value_blob(old), let right = sqlite3_value_blob(new) else {
        return nil
      }
      return !UnsafeRawBufferPointer(start: left, count: Int(count))
        .elementsEqual(UnsafeRawBufferPointer(start: right, count: Int(count)))
    }
  }
}
