extension Database {
  /// Returns what a query reads.
  func region(ofSQL sql: String) throws -> DatabaseRegion {
    try makeStatement(sql: sql).databaseRegion()
  }

  /// Returns the union of regions, resolved in this connection.
  func region(of parts: [any DatabaseRegionConvertible]) throws -> DatabaseRegion {
    // The queries that read the schema here must not be recorded as part of an observed fetch.
    let recorder = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = recorder }
    return try parts.reduce(into: DatabaseRegion()) { region, part in
      region.formUnion(try part.databaseRegion(self).databaseRegion(self))
    }
  }

  /// Runs a closure whose statements are not recorded.
  func withoutRegionRecorder<Result>(_ body: () throws -> Result) rethrows -> Result {
    let outer = regionRecorder
    regionRecorder = nil
    defer { regionRecorder = outer }
    return try body()
  }

  /// Runs a closure, and records what its statements read.
  func recordingRegion<Value>(
    _ body: () throws -> Value
  ) -> (result: Result<Value, any Error>, recorder: RegionRecorder) {
    let outer = regionRecorder
    let recorder = RegionRecorder()
    regionRecorder = recorder
    defer { regionRecorder = outer }
    let result = Result { try body() }
    return (result, recorder)
  }

  /// Returns the schema as the running transaction sees it.
  func currentRegionSchema() throws -> RegionSchema {
    let versions = try versions.schemaVersions()
    if let regionSchema, regionSchema.versions == versions { return regionSchema }
    let schema = try RegionSchema(self, versions: versions)
    regionSchema = schema
    return schema
  }
}
