internal import WellspringPlatform

/// Where a database is: in a file, in memory, or in a temporary file.
///
///     try DatabaseQueue(.temporary)
///     try DatabaseQueue(.uri("/srv/geo.sqlite", parameters: [.immutable(true)]))
public struct DatabaseLocation: Hashable, Sendable {
  /// The path of the file; `:memory:`, a URI, or an empty string where there is none.
  public let path: String

  /// What SQLite is told to open.
  let sqliteName: String
  /// Whether there is a file with a name.
  let isFile: Bool
  /// The name of a database in memory that others can open.
  let sharedName: String?

  private init(path: String, sqliteName: String, isFile: Bool, sharedName: String? = nil) {
    self.path = path
    self.sqliteName = sqliteName
    self.isFile = isFile
    self.sharedName = sharedName
  }

  /// Names a file. As in SQLite, an empty path stands for ``temporary``, and `:memory:` for ``inMemory``.
  public static func file(_ path: String) -> DatabaseLocation {
    if path.isEmpty { return .temporary }
    if path == ":memory:" { return .inMemory }
    // SQLite must not take the name for a URI.
    let name = path.hasPrefix("file:") ? "./" + path : path
    return DatabaseLocation(path: path, sqliteName: name, isFile: true)
  }

  /// A new database in memory, which nobody else can open.
  public static let inMemory = DatabaseLocation(
    path: ":memory:",
    sqliteName: ":memory:",
    isFile: false
  )

  /// Names a database in memory. All that open it in this process share it, until the last
  /// one has closed it.
  public static func inMemory(named name: String) -> DatabaseLocation {
    // `cache=shared` would share it too, but fails where others wait: its locks know no busy handler.
    // https://www.sqlite.org/src/file/src/memdb.c
    let uri = "file:/\(FilePath.uriEncoded(name))?vfs=memdb"
    return DatabaseLocation(path: uri, sqliteName: uri, isFile: false, sharedName: name)
  }

  /// A new database in a temporary file without a name, which vanishes when it is closed. SQLite keeps
  /// small ones in memory.
  public static let temporary = DatabaseLocation(path: "", sqliteName: "", isFile: false)

  /// Names a file, and how SQLite opens it. https://www.sqlite.org/uri.html
  public static func uri(_ path: String, parameters: [URIParameter] = []) -> DatabaseLocation {
    let query = parameters.map(\.text).joined(separator: "&")
    let uri = "file:\(FilePath.uriEncoded(path))" + (query.isEmpty ? "" : "?\(query)")
    let isFile = !path.isEmpty && path != ":memory:" && !parameters.contains(.mode(.memory))
    return DatabaseLocation(path: isFile ? path : uri, sqliteName: uri, isFile: isFile)
  }

  /// The location with a path that stays true when the working directory changes.
  var resolved: DatabaseLocation {
    guard isFile else { return self }
    let resolvedPath = FilePath.resolved(path)
    let isURI = sqliteName.hasPrefix("file:")
    let query = isURI ? sqliteName.firstIndex(of: "?").map { sqliteName[$0...] } ?? "" : ""
    return DatabaseLocation(
      path: resolvedPath,
      sqliteName: isURI ? "file:\(FilePath.uriEncoded(resolvedPath))\(query)" : resolvedPath,
      isFile: true
    )
  }
}

extension DatabaseLocation {
  /// A parameter of a URI.
  public enum URIParameter: Hashable, Sendable {
    /// Whether connections share one cache of pages. Connections with a shared cache fail with
    /// `SQLITE_LOCKED` instead of waiting for each other.
    public enum Cache: String, Sendable {
      /// They do.
      case shared
      /// They don't.
      case `private`
    }

    /// What may be done with the file.
    public enum Mode: String, Sendable {
      /// It is read.
      case readOnly = "ro"
      /// It is read and written, and must exist.
      case readWrite = "rw"
      /// It is read and written, and created when it does not exist.
      case readWriteCreate = "rwc"
      /// There is no file: the database is in memory.
      case memory
    }

    /// `cache`: whether connections share one cache of pages.
    case cache(Cache)
    /// `immutable`: whether the file cannot be changed by anybody, so that no locks are needed.
    case immutable(Bool)
    /// `modeof`: the file from which a new one takes its permissions.
    case modeOf(String)
    /// `mode`: what may be done with the file.
    case mode(Mode)
    /// `nolock`: whether no locks are taken.
    case noLock(Bool)
    /// `psow`: whether a power cut during a write leaves the bytes around it as they were.
    case powersafeOverwrite(Bool)
    /// `vfs`: the name of the interface to the operating system.
    case vfs(String)
    /// A parameter of a VFS that is not SQLite's own.
    case other(name: String, value: String)

    fileprivate var text: String {
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
  /// The string with what has a meaning in a URI escaped.
  fileprivate var uriParameterEncoded: String {
    FilePath.uriEncoded(self).replacing("&", with: "%26").replacing("=", with: "%3d")
  }
}
