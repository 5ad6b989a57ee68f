/// Notices that another connection has committed, by `PRAGMA data_version`.
///
/// The number does not move on commits of the connection that reads it. Read on a pool's writer, it
/// moves on commits of others only. It belongs to the access that holds the connection.
final class ExternalCommits {
  private var lastVersion: Int64?

  /// Takes the present state as known.
  func adopt(_ db: Database) {
    lastVersion = try? db.pragmas.dataVersion()
  }

  /// Looks whether others have committed since the last look.
  ///
  /// - Returns: Whether they have, or may have.
  func check(_ db: Database) -> Bool {
    // A number that cannot be read is an unknown number.
    let version = try? db.pragmas.dataVersion()
    defer { lastVersion = version }
    return version == nil || version != lastVersion
  }
}
