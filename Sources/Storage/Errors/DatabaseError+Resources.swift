internal import CWellspringSQLite
internal import Glibc

extension DatabaseError {
  /// Returns what the process or the machine has run out of, or `nil` when the last error of a
  /// connection has another reason.
  static func missingResource(code: Int32, _ connection: OpaquePointer) -> String? {
    // SQLite keeps the error of the system for these two only.
    let primary = code & 0xFF
    guard primary == CWellspringSQLite.SQLITE_CANTOPEN || primary == CWellspringSQLite.SQLITE_IOERR
    else { return nil }
    return switch sqlite3_system_errno(connection) {
    case EMFILE: "the process has no file descriptors left"
    case ENFILE: "the machine has no file descriptors left"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota of the user is used up"
    case EROFS: "the file system is read-only"
    case ENOLCK: "the machine has no file locks left"
    case ENOMEM: "the machine has no memory left"
    default: nil
    }
  }
}
