extension TableRecord where Self: EncodableRecord {
  /// Returns a request for the rows that are associated with this record.
  ///
  ///     let players = try team.request(for: Team.players).fetchAll(db)
  ///     // SELECT * FROM "player" WHERE "teamID" = 1
  ///
  /// The columns of the record's own table are not read: their values come from the record. A
  /// record whose key is NULL has no associated rows. An association through other associations
  /// joins the tables between.
  ///
  /// Fetching throws ``DatabaseError`` with `SQLITE_MISUSE` when the record does not encode a
  /// column of the foreign key.
  public func request<A: Association>(for association: A) -> QueryInterfaceRequest<A.RowDecoder>
  where A.OriginRowDecoder == Self {
    let origin = TableReference(tableName: Self.databaseTableName)
    let values = Result { try PersistenceContainer(self).valuesByColumn }
    return QueryInterfaceRequest(association.path.rows(of: origin, values))
  }
}

extension PersistenceContainer {
  /// The collected values, by the lower-case names of their columns.
  var valuesByColumn: [String: DatabaseValue] {
    Dictionary(
      zip(columns.map(\.asciiLowercased), values),
      uniquingKeysWith: { first, _ in first }
    )
  }
}

extension AssociationPath {
  /// Returns the query of the rows that belong to one row, whose values are known.
  fileprivate func rows(
    of origin: TableReference,
    _ values: Result<[String: DatabaseValue], any Error>
  ) -> SelectStatement {
    let condition: ExpressionNode
    switch values {
    case .success(let values):
      condition =
        AssociatedRowCondition(
          path: AssociationPath(steps[0]),
          origin: origin,
          values: values
        ).node
    case .failure(let error):
      condition = FailedExpression(message: "\(error)").node
    }
    return startingAtDestination { $0.filter.conditions.append(condition) }
  }
}

/// The condition that a row belongs to another row, whose values are known: `"teamID" = 1`.
private struct AssociatedRowCondition: ExpressionPart {
  let path: AssociationPath
  let origin: TableReference
  let values: [String: DatabaseValue]

  func write(to context: inout SQLContext) throws {
    guard let db = context.db else { return context.append("<foreign key>") }
    let conditions = try path.columnPairs(from: origin, db).map { pair in
      let value = try origin.value(of: pair, values)
      return value.isNull ? nil : (Column(pair.destination) == value).node
    }
    let known = conditions.compactMap(\.self)
    guard known.count == conditions.count else { return context.append("0") }
    try SQLExpression.chain(.and, known).node.write(to: &context)
  }
}

extension TableReference {
  /// Returns the value of a record's column by which other rows belong to it.
  func value(
    of pair: AssociationCondition.Pair,
    _ values: [String: DatabaseValue]
  ) throws -> DatabaseValue {
    if let value = values[pair.origin.asciiLowercased] { return value }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the record of \(tableName) does not encode the column \(pair.origin), by which associated \
        rows belong to it
        """
    )
  }
}
