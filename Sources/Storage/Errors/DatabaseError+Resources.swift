internal import CWellspringSQLite
internal import Glibc
internal import WellspringPlatform

extension DatabaseError {
  /// Returns what the process or the machine has run out of, or `nil` when the last error of a
  /// connection has another reason.
  static func missingResource(code: Int32, _ connection: OpaquePointer) -> String? {
    let failure: Int32?
    switch code & 0xFF {
    case CWellspringSQLite.SQLITE_IOERR: failure = systemError(connection)
    case CWellspringSQLite.SQLITE_CANTOPEN:
      let error = sqlite3_system_errno(connection)
      // A journal that cannot be made is opened for reading next, and does not exist.
      failure = error == ENOENT && isReadOnlySystem(connection) ? EROFS : error
    case CWellspringSQLite.SQLITE_READONLY: failure = isReadOnlySystem(connection) ? EROFS : nil
    // SQLite keeps the error of the system for I/O errors and failed openings only.
    default: failure = nil
    }
    return switch failure {
    case EMFILE: "the process has no file descriptors left"
    case ENFILE: "the machine has no file descriptors left"
    case ENOSPC: "the disk is full"
    case EDQUOT: "the disk quota of the user is used up"
    case EROFS: "the file system is read-only"
    case ENOLCK: "the machine has no file locks left"
    case ENOMEM: "the machine has no memory left"
    case ENAMETOOLONG: "a file name is too long: SQLite adds endings such as -journal to it"
    default: nil
    }
  }
  private static func isReadOnlySystem(_ connection: OpaquePointer) -> Bool {
    guard let name = sqlite3_db_filename(connection, "main"), name.pointee != 0 else {
      return false
    }
    return FileAccess.isReadOnlySystem(FilePath.split(String(cString: name)).directory)
  }

  /// The error of the system behind an I/O error.
  ///
  /// SQLite does not keep it for the connection when a commit to the WAL fails, but each file keeps
  /// its own last one. Old errors stay: where several are known, none of them is sure.
  private static func systemError(_ connection: OpaquePointer) -> Int32? {
    var journal: UnsafeMutablePointer<sqlite3_file>?
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal)
    var ofFile: Int32 = 0
    sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &ofFile)
    var ofJournal: Int32 = 0
    if let journal, let methods = journal.pointee.pMethods {
      _ = methods.pointee.xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &ofJournal)
    }
    let known = Set([sqlite3_system_errno(connection), ofFile, ofJournal]).subtracting([0])
    return known.count == 1 ? known.first : nil
  }
}
