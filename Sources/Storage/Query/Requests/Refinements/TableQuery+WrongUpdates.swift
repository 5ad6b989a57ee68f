// First mistakes with updates: these members do not compile, and say what to write.

extension TableQuery where RowDecoder: TableRecord {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(*, unavailable, message: "write updateAll(db) { $0.name.set(to: …) }")
  @discardableResult
  public func update<Result>(
    _ db: Database,
    assignments: (RowDecoder.DatabaseComponents) throws -> Result
  ) throws -> Int {
    0
  }
}
