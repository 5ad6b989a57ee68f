/// What repeating recorded transactions needs to know of a schema. It is kept while the schema
/// stays the same.
package struct RepeatableSchema {
  /// The numbers of the schemas of `main` and `temp`. The losses of a ``SchemaVersion`` grow with
  /// each change of an option, and so with each repeated transaction.
  fileprivate let versions: [Int64]
  /// The tables by their names.
  package let tables: [String: RecordableTable]
  /// What the schema may do besides what a statement says.
  let sideEffects: Set<SideEffect>

  fileprivate init(_ db: Database, versions: [Int64]) throws {
    self.versions = versions
    tables = Dictionary(try RecordableTable.all(db).map { ($0.name, $0) }) { first, _ in first }
    let found = try Row.fetchOne(
      db,
      sql: """
        SELECT total(type = 'trigger'), total(sql LIKE '%REFERENCES%'),
          total(sql LIKE 'CREATE VIRTUAL%'), total(sql LIKE '%CHECK%')
        FROM (SELECT type, sql FROM main.sqlite_schema
          UNION ALL SELECT type, sql FROM temp.sqlite_schema)
        """
    )
    sideEffects = Set(
      SideEffect.allCases.enumerated().filter { found?[$0.offset] as Double? != 0 }.map(\.element)
    )
  }
}

/// What statements do besides what they say, or do not do although they say it.
enum SideEffect: CaseIterable {
  // The order is that of the query above.
  case triggers, foreignKeys, protection, checks
}

extension Database {
  /// Returns what repeating needs to know of the schema.
  ///
  /// - Parameter isCommitted: Whether the running transaction has not changed the schema. Otherwise
  ///   the schema is not kept, because another one may get the same version after a rollback.
  /// - Returns: The schema.
  /// - Throws: ``DatabaseError``.
  package func repeatableSchema(isCommitted: Bool) throws -> RepeatableSchema {
    let current = try [versions.schemaNumber(), versions.temporarySchemaVersion().number]
    if isCommitted, let known = knownSchemaToRepeat, known.versions == current { return known }
    let schema = try RepeatableSchema(self, versions: current)
    knownSchemaToRepeat = isCommitted ? schema : nil
    return schema
  }
}
