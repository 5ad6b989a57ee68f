/// Notices that another connection has committed, by `PRAGMA data_version`.
///
/// The number does not move on commits of the connection that reads it. Read on a pool's writer, it
/// moves on commits of others only. It belongs to the access that holds the connection.
final class ExternalCommits {
  private var lastVersion: Int64?
  /// The version of the schema: it moves with what neither hooks nor `data_version` tell of, such as
  /// `VACUUM` and a backup into the connection.
  private var lastSchemaVersion: Int64?

  /// Takes the present state as known.
  func adopt(_ db: Database) {
    lastVersion = try? db.pragmas.dataVersion()
    lastSchemaVersion = try? db.pragmas.schemaVersion()
  }

  /// The connection itself has changed the schema, and told of it.
  func adoptSchema(_ db: Database) {
    lastSchemaVersion = try? db.pragmas.schemaVersion()
  }

  /// Looks whether others have committed since the last look.
  ///
  /// - Returns: Whether they have, or may have.
  func check(_ db: Database) -> Bool {
    // A number that cannot be read is an unknown number.
    let version = try? db.pragmas.dataVersion()
    let schemaVersion = try? db.pragmas.schemaVersion()
    defer {
      lastVersion = version
      lastSchemaVersion = schemaVersion
    }
    return version == nil || version != lastVersion || schemaVersion != lastSchemaVersion
  }
}
