import Storage
import TestSupport

/// A file with the items ``Item/cup`` and ``Item/pot``, made by another process.
struct ForeignFile {
  enum Journal: String, CaseIterable, Sendable {
    case wal
    case delete
    case truncate
    case persist
    case memory
  }

  let directory = TemporaryDirectory()
  var path: String { directory.file() }

  init(_ journal: Journal) throws {
    try SQLiteShell.run(
      path,
      """
      PRAGMA journal_mode = \(journal.rawValue); \(Item.schema);
      INSERT INTO item VALUES (1, 'cup', 4), (2, 'pot', NULL)
      """
    )
  }

  func watch() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.readonly = true
    return try DatabasePool(path: path, configuration: configuration)
  }
}
