internal import Glibc

/// What the process may do with a path.
package enum FileAccess {
  /// Whether the process may read the file at `path`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Whether the process may write the file or the directory at `path`.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
