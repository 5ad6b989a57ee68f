internal import WellspringSystem

/// Where a database is: in a file, in memory, or in a temporary file.
///
///     try DatabaseQueue(.temporary)
///     try DatabaseQueue(.uri("/srv/geo.sqlite", parameters: [.immutable(true)]))
public struct DatabaseLocation: Hashable, Sendable {
  /// The path of the file; `:memory:`, a URI or an empty string for a database without a file.
  public let path: String

  /// The name that SQLite opens.
  let sqliteName: String
  /// Whether the database is in a file with a name.
  let isFile: Bool
  /// The name of an in-memory database that other connections can open.
  let sharedName: String?
  /// The absolute path of the file as it was given, with its symbolic links; `nil` before
  /// ``resolved``.
  let givenPath: String?

  private init(
    path: String,
    sqliteName: String,
    isFile: Bool,
    sharedName: String? = nil,
    givenPath: String? = nil
  ) {
    self.path = path
    self.sqliteName = sqliteName
    self.isFile = isFile
    self.sharedName = sharedName
    self.givenPath = givenPath
  }

  /// Returns the location of a file. As in SQLite, an empty path means ``temporary``, and
  /// `:memory:` means ``inMemory``.
  public static func file(_ path: String) -> DatabaseLocation {
    if path.isEmpty { return .temporary }
    if path == ":memory:" { return .inMemory }
    // SQLite would read the path as a URI.
    let name = path.hasPrefix("file:") ? "./" + path : path
    return DatabaseLocation(path: path, sqliteName: name, isFile: true)
  }

  /// A new in-memory database, which no other connection can open.
  public static let inMemory = DatabaseLocation(
    path: ":memory:",
    sqliteName: ":memory:",
    isFile: false
  )

  /// Returns the location of a named in-memory database.
  ///
  /// All connections of this process that open the name share the database, until the last of them
  /// is closed.
  public static func inMemory(named name: String) -> DatabaseLocation {
    // `cache=shared` would share it too, but its locks do not call the busy handler: accesses would
    // fail instead of wait. https://www.sqlite.org/src/file/src/memdb.c
    let uri = "file:/\(FilePath.uriEncoded(name))?vfs=memdb"
    return DatabaseLocation(path: uri, sqliteName: uri, isFile: false, sharedName: name)
  }

  /// A new database in an unnamed temporary file, which is deleted when the database is closed.
  /// SQLite keeps small ones in memory.
  public static let temporary = DatabaseLocation(path: "", sqliteName: "", isFile: false)

  /// Returns the location of a file that SQLite opens with URI parameters.
  /// https://www.sqlite.org/uri.html
  public static func uri(_ path: String, parameters: [URIParameter] = []) -> DatabaseLocation {
    let query = parameters.map(\.text).joined(separator: "&")
    let uri = "file:\(FilePath.uriEncoded(path))" + (query.isEmpty ? "" : "?\(query)")
    let isFile = !path.isEmpty && path != ":memory:" && !parameters.contains(.mode(.memory))
    return DatabaseLocation(path: isFile ? path : uri, sqliteName: uri, isFile: isFile)
  }

  /// The location with an absolute path, which stays valid when the working directory changes, of
  /// the file to which the symbolic links of the given path lead now.
  var resolved: DatabaseLocation {
    guard isFile else { return self }
    let givenPath = givenPath ?? FilePath.absolute(path)
    let resolvedPath = FilePath.resolved(givenPath)
    let isURI = sqliteName.hasPrefix("file:")
    let query = isURI ? sqliteName.firstIndex(of: "?").map { sqliteName[$0...] } ?? "" : ""
    return DatabaseLocation(
      path: resolvedPath,
      sqliteName: isURI ? "file:\(FilePath.uriEncoded(resolvedPath))\(query)" : resolvedPath,
      isFile: true,
      givenPath: givenPath
    )
  }

  /// Checks that there is an ordinary file, or none. SQLite would wait for the other end of a FIFO,
  /// and would open a directory to read.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_CANTOPEN` when there is something else.
  func requireRegularFile() throws {
    let path = givenPath ?? path
    guard isFile, let status = FileStatus(path: path), !status.isRegular else { return }
    throw DatabaseError(
      resultCode: .SQLITE_CANTOPEN,
      message: status.isDirectory
        ? "\(path) is a directory" : "\(path) is not a regular file"
    )
  }
}

extension DatabaseLocation {
  /// A parameter of a URI that SQLite opens. https://www.sqlite.org/uri.html
  public enum URIParameter: Hashable, Sendable {
    /// Whether connections share one page cache. Connections with a shared cache fail with
    /// `SQLITE_LOCKED` instead of waiting for each other.
    public enum Cache: String, Sendable {
      /// Connections share a cache.
      case shared
      /// Each connection has its own cache.
      case `private`
    }

    /// How the database is opened.
    public enum Mode: String, Sendable {
      /// The file is opened for reading only.
      case readOnly = "ro"
      /// The file is opened for reading and writing, and must exist.
      case readWrite = "rw"
      /// The file is opened for reading and writing, and created when it does not exist.
      case readWriteCreate = "rwc"
      /// The database is in memory, without a file.
      case memory
    }

    /// `cache`: whether connections share one page cache.
    case cache(Cache)
    /// `immutable`: whether the file cannot change, so that no locks are needed.
    case immutable(Bool)
    /// `modeof`: the file whose permissions a new file gets.
    case modeOf(String)
    /// `mode`: how the database is opened.
    case mode(Mode)
    /// `nolock`: whether no locks are taken.
    case noLock(Bool)
    /// `psow`: whether a power cut during a write leaves the surrounding bytes unchanged.
    case powersafeOverwrite(Bool)
    /// `vfs`: the name of the VFS, SQLite's interface to the operating system.
    case vfs(String)
    /// A parameter of a custom VFS.
    case other(name: String, value: String)

    var text: String {
      func flag(_ value: Bool) -> String { value ? "1" : "0" }
      switch self {
      case .cache(let cache): return "cache=\(cache.rawValue)"
      case .immutable(let value): return "immutable=\(flag(value))"
      case .modeOf(let path): return "modeof=\(path.uriParameterEncoded)"
      case .mode(let mode): return "mode=\(mode.rawValue)"
      case .noLock(let value): return "nolock=\(flag(value))"
      case .powersafeOverwrite(let value): return "psow=\(flag(value))"
      case .vfs(let name): return "vfs=\(name.uriParameterEncoded)"
      case .other(let name, let value):
        return "\(name.uriParameterEncoded)=\(value.uriParameterEncoded)"
      }
    }
  }
}

extension String {
  /// The string, with the characters escaped that have a meaning in a URI.
  fileprivate var uriParameterEncoded: String {
    FilePath.uriEncoded(self).replacing("&", with: "%26").replacing("=", with: "%3d")
  }
}
