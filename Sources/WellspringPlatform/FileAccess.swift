internal import Glibc

/// The permissions of the process for a path.
package enum FileAccess {
  /// Returns whether the process may read the file at `path`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether the process may write to the file or the directory at `path`.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }
}
