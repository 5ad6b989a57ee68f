/// One step of a ``DatabaseMigrator``.
struct Migration: Sendable {
  /// How a migration treats foreign keys.
  enum ForeignKeys: Sendable {
    /// They are not enforced, and checked at the end.
    case checkedAtEnd
    /// They are enforced with each statement.
    case enforced
    /// They are neither enforced nor checked.
    case unchecked
  }

  let identifier: String
  let foreignKeys: ForeignKeys
  /// The names of the migrations that this one replaces, without its own name.
  let merged: Set<String>
  let migrate: @Sendable (Database, Set<String>) throws -> Void
}
