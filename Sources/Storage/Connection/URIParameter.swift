internal import WellspringPlatform

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
      /// There is no file: the database is in memory.
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
