internal import Glibc

/// The permissions of the process for a path.
package enum FileAccess {
  /// Returns whether the process may read the file at `path`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns whether the process may write to the file or the directory at `path`.
  package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Returns whether the file system refuses to make files in a directory because it is read-only.
  ///
  /// After an error of the disk, the kernel makes a file system read-only without showing it in its
  /// permissions, so that only an attempt finds out. The file of the attempt has no name.
  package static func isReadOnlySystem(_ directory: String) -> Bool {
    // `O_TMPFILE`, which Swift does not import.
    let unnamed: Int32 = 0o20_200_000
    let descriptor = open(directory, O_RDWR | O_CLOEXEC | unnamed, 0o600)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EROFS
  }
}
