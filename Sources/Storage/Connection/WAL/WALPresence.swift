internal import WellspringSystem

/// Whether connections to a file read its WAL.
///
/// A WAL can stay beside a file that was never in WAL mode: when such a file replaces a file in WAL
/// mode, or when the last process ended without removing the WAL. SQLite uses a WAL that has
/// content. An empty WAL counts only if the header of the database says that it is in WAL mode.
/// https://www.sqlite.org/fileformat2.html#file_format_version_numbers
enum WALPresence {
  /// Returns whether connections to the file at `path` read a WAL.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - probes: The probes that read its header without ending its locks.
  /// - Returns: Whether a WAL is read; `true` if the header cannot be read.
  static func isUsed(path: String, probes: FileProbes) -> Bool {
    guard let log = FileStatus(path: path + "-wal") else { return false }
    guard log.size == 0, let probe = probes.probe(path) else { return true }
    return isInWALMode(probe) ?? true
  }

  /// Returns whether there may be commits that are in the WAL and not in the file at `path`.
  static func hasContent(path: String) -> Bool {
    FileStatus(path: path + "-wal").map { $0.size > 0 } ?? false
  }

  /// Returns whether the header of a database says that it is in WAL mode; `nil` if the header
  /// cannot be read.
  static func isInWALMode(_ database: FileProbe) -> Bool? {
    let header = database.prefix(readVersion + 1)
    return header.count > readVersion ? header[readVersion] == walVersion : nil
  }

  /// The offset of the version that a reader of the file must know, and its value in WAL mode.
  private static let readVersion = 19
  private static let walVersion: UInt8 = 2
}
