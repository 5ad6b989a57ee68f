/// A value that depends on a part of a database, such as a region or a request.
public protocol DatabaseRegionConvertible: Sendable {
  /// Returns the part of the database that the value depends on.
  ///
  /// - Throws: ``DatabaseError`` when it depends on something that does not exist.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
  /// Returns the region, with the tables behind its views and virtual tables added.
  ///
  /// SQLite reports changes of the tables that a view reads, and of the tables in which a full-text
  /// or R-tree table keeps its data, but not changes of the view or of the virtual table.
  public func databaseRegion(_ db: Database) throws -> DatabaseRegion {
    guard let tables else { return self }
    let schema = try db.currentRegionSchema()
    var region = self
    for name in tables.keys {
      switch schema.tables[name]?.kind {
      case .view:
        region.formUnion(
          try db.region(ofSQL: "SELECT * FROM \(name.quotedDatabaseIdentifier)")
        )
      case .virtual:
        region.formUnion(schema.region(ofVirtualTable: name))
      case .table, .shadow, nil:
        break
      }
    }
    return region
  }
}

extension DatabaseRegionConvertible where Self == DatabaseRegion {
  /// The whole database.
  public static var fullDatabase: DatabaseRegion { DatabaseRegion.fullDatabase }
}

extension TableName {
  var quotedDatabaseIdentifier: String {
    "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }
}
