extension Statement {
  /// Returns what the statement reads with the arguments that are bound to it.
  ///
  ///     let statement = try db.makeStatement(sql: "SELECT name FROM item WHERE id = ?")
  ///     try statement.setArguments([1])
  ///     try statement.databaseRegion()  // item(id,name)[1]
  ///
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  public func databaseRegion() throws -> DatabaseRegion {
    try RegionRecorder.region(of: self)
  }
}
