import Foundation
import GRDB

/// Opens the library's file, and brings it up to date.
struct LibraryDatabase {
  let writer: any DatabaseWriter
  var reader: any DatabaseReader { writer }

  init(_ writer: any DatabaseWriter) throws {
    self.writer = writer
    try Self.migrator.migrate(writer)
  }

  static func onDisk(path: String) throws -> LibraryDatabase {
    try LibraryDatabase(DatabasePool(path: path, configuration: makeConfiguration()))
  }

  static func inMemory() throws -> LibraryDatabase {
    try LibraryDatabase(DatabaseQueue(configuration: makeConfiguration()))
  }

  static func makeConfiguration() -> Configuration {
    var configuration = Configuration()
    configuration.label = "Library"
    configuration.busyMode = .timeout(10)
    configuration.maximumReaderCount = 3
    configuration.prepareDatabase { db in
      db.add(function: .initials)
      db.add(function: .longest)
      db.add(collation: .localizedNames)
    }
    return configuration
  }
}
