internal import CWellspringSQLite

/// The databases that are attached to a connection.
struct AttachedDatabases {
  private let connection: OpaquePointer

  init(connection: OpaquePointer) {
    self.connection = connection
  }

  // In SQLite's list, 0 is `main` and 1 is `temp`.
  private static let firstIndex: Int32 = 2

  /// Whether no database is attached.
  var isEmpty: Bool { sqlite3_db_name(connection, Self.firstIndex) == nil }

  /// The schema names of the attached databases.
  var names: [String] {
    var names: [String] = []
    var index = Self.firstIndex
    while let name = sqlite3_db_name(connection, index) {
      names.append(String(cString: name))
      index += 1
    }
    return names
  }

  /// The paths of the attached databases that have a file.
  var files: [String] {
    names.compactMap { name in
      guard let path = sqlite3_db_filename(connection, name) else { return nil }
      return path.pointee == 0 ? nil : String(cString: path)
    }
  }
}

extension Database {
  /// The databases that are attached to this connection.
  var attached: AttachedDatabases { AttachedDatabases(connection: sqliteConnection) }
}
