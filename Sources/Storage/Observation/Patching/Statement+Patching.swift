extension Statement {
  /// Why the result of the query could not be patched with its present arguments, as the end of a
  /// sentence that begins with "the query"; `nil` if it could.
  ///
  /// - Throws: ``DatabaseError`` when the schema cannot be read.
  package func patchObstacle() throws -> String? {
    do {
      if let query = try NumberQuery(sql) {
        _ = try NumberResult.plan(for: query, self)
      } else {
        do {
          _ = try PatchAnalysis.plan(for: self)
        } catch let obstacle as PatchObstacle {
          guard let query = try AggregateQuery(sql) else { throw obstacle }
          _ = try AggregateResult<Row>.plan(for: query, self)
        }
      }
      return nil
    } catch let obstacle as PatchObstacle {
      return obstacle.description
    }
  }
}
