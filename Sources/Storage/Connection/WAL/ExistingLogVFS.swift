internal import CWellspringSQLite
internal import WellspringSystem

/// SQLite's interface to the operating system, for connections that read a WAL only if one exists.
///
/// SQLite makes a missing WAL when it first reads a file in WAL mode. It opens the WAL while it
/// holds its shared lock on the database. Under this lock, no other process can remove the WAL. So
/// only here it is certain whether the connection would make the WAL.
/// https://www.sqlite.org/vfs.html
enum ExistingLogVFS {
  /// The name of the interface; `nil` if the process uses another interface than SQLite's own, such
  /// as one that encrypts.
  static var name: String? { sqlite3_vfs_find(nil) == system ? registeredName : nil }

  private static let registeredName = register()

  /// The parameter in the URI of a database whose WAL must exist. Databases that are attached to it
  /// lack the parameter.
  static let parameter = "existing_log"

  /// SQLite's own interface, which does all the work.
  private nonisolated(unsafe) static let system = sqlite3_vfs_find(nil)

  private static func register() -> String? {
    let name = "wellspring-existing-log"
    // Other interfaces may need more fields than are copied here.
    guard let system, String(cString: system.pointee.zName).hasPrefix("unix") else { return nil }
    // Both live as long as the process, which SQLite needs.
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    vfs.initialize(to: system.pointee)
    let bytes = Array(name.utf8CString)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    text.initialize(from: bytes, count: bytes.count)
    vfs.pointee.zName = UnsafePointer(text)
    vfs.pointee.pNext = nil
    vfs.pointee.xOpen = { _, path, file, flags, openedFlags in
      guard let system = ExistingLogVFS.system, let open = system.pointee.xOpen else {
        return SQLITE_CANTOPEN
      }
      if flags & SQLITE_OPEN_WAL != 0, let path, ExistingLogVFS.isMissing(path) {
        file?.pointee.pMethods = nil
        return SQLITE_CANTOPEN
      }
      return open(system, path, file, flags, openedFlags)
    }
    return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : nil
  }

  /// Whether the WAL at a path must exist, and has no content.
  private static func isMissing(_ path: UnsafePointer<CChar>) -> Bool {
    guard sqlite3_uri_boolean(path, parameter, 0) != 0 else { return false }
    return FileStatus(path: String(cString: path)).map { $0.size == 0 } ?? true
  }
}
