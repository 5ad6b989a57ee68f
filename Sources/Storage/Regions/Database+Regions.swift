extension Database {
  /// Returns the region of a query.
  func region(ofSQL sql: String) throws -> DatabaseRegion {
    try makeStatement(sql: sql).databaseRegion()
  }

  /// Returns the union of regions, resolved in this connection.
  func region(of parts: [any DatabaseRegionConvertible]) throws -> DatabaseRegion {
    // The queries that read the schema here are not part of an observed fetch.
    try unrecorded {
      try parts.reduce(into: DatabaseRegion()) { region, part in
        region.formUnion(try part.databaseRegion(self).databaseRegion(self))
      }
    }
  }

  /// Runs a closure, and records the region of its statements.
  ///
  /// - Parameters:
  ///   - argumentsAreConstant: Whether later runs have the same statements and arguments.
  ///   - body: The closure.
  /// - Returns: The result of the closure, and the recorded region.
  func recordingRegion<Value>(
    argumentsAreConstant: Bool = false,
    _ body: () throws -> Value
  ) -> (result: Result<Value, any Error>, recorder: RegionRecorder) {
    let outer = regionRecorder
    let recorder = RegionRecorder()
    recorder.argumentsAreConstant = argumentsAreConstant
    regionRecorder = recorder
    defer { regionRecorder = outer }
    let result = Result { try body() }
    return (result, recorder)
  }

  /// Returns whether the texts of the file are surely UTF-8.
  ///
  /// The encoding of a file with tables does not change, and attached files have the same one.
  func storesUTF8() -> Bool {
    if let knownStoresUTF8 { return knownStoresUTF8 }
    let encoding = try? unrecorded { try String.fetchOne(self, sql: "PRAGMA encoding") }
    knownStoresUTF8 = encoding == "UTF-8"
    return encoding == "UTF-8"
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

extension Statement {
  /// Returns the region of the statement with the arguments that are bound to it.
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

/// All elements of a kind, or some of them: the columns or the rows of a table.
enum Extent<Element: Hashable & Sendable>: Hashable, Sendable {
  case all
  case some(Set<Element>)

  /// Makes an extent of these elements; `nil` means all elements.
  init(_ elements: Set<Element>?) {
    self = elements.map(Self.some) ?? .all
  }

  /// The elements; `nil` for all.
  var elements: Set<Element>? {
    if case .some(let elements) = self { return elements }
    return nil
  }

  var isAll: Bool { elements == nil }

  func union(_ other: Extent) -> Extent {
    guard case .some(let elements) = self, case .some(let others) = other else { return .all }
    return .some(elements.union(others))
  }

  func intersection(_ other: Extent) -> Extent {
    guard case .some(let elements) = self else { return other }
    guard case .some(let others) = other else { return self }
    return .some(elements.intersection(others))
  }

  /// Returns whether the two may have an element in common. ``all`` overlaps with every extent,
  /// even with an empty one.
  func overlaps(_ other: Extent) -> Bool {
    guard case .some(let elements) = self, case .some(let others) = other else { return true }
    return !elements.isDisjoint(with: others)
  }
}
