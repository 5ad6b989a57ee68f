/// Something that depends on a part of a database: a region, a statement, a request.
public protocol DatabaseRegionConvertible: Sendable {
  /// The part of the database.
  ///
  /// - Throws: ``DatabaseError`` when it depends on what does not exist.
  func databaseRegion(_ db: Database) throws -> DatabaseRegion
}

extension DatabaseRegion: DatabaseRegionConvertible {
  /// The region, with the tables behind its views and virtual tables.
  ///
  /// SQLite tells of changes in the tables that a view reads, and in those that a full-text or R-tree
  /// table keeps its data in, but not of the view or the virtual table.
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

extension Statement {
  /// What the statement reads, with the arguments that are bound to it.
  ///
  ///     let statement = try db.makeStatement(sql: "SELECT name FROM item WHERE id = ?")
  ///     try statement.setArguments([1])
  ///     try statement.databaseRegion()  // item(id,name)[1]
  ///
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  public func databaseRegion() throws -> DatabaseRegion {
    let recorder = RegionRecorder()
    try recorder.record(self)
    return recorder.region
  }
}

extension Database {
  /// What a query reads.
  func region(ofSQL sql: String) throws -> DatabaseRegion {
    try makeStatement(sql: sql).databaseRegion()
  }

  /// The union of regions, resolved in this connection.
  func region(of parts: [any DatabaseRegionConvertible]) throws -> DatabaseRegion {
    // What this reads of the schema is not what an observation reads.
    let recorder = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = recorder }
    return try parts.reduce(into: DatabaseRegion()) { region, part in
      region.formUnion(try part.databaseRegion(self).databaseRegion(self))
    }
  }
}

extension TableName {
  var quotedDatabaseIdentifier: String {
    "\(schema.quotedDatabaseIdentifier).\(name.quotedDatabaseIdentifier)"
  }
}
