// Associated rows of records that are loaded already.

extension AssociationToMany
where OriginRowDecoder: TableRecord & EncodableRecord & Hashable, RowDecoder: Fetchable {
  /// Fetches the associated rows of several records by one statement.
  ///
  ///     let players = try Team.players.fetchAll(db, for: teams)
  ///     for team in teams { print(team.name, players[team]!.count) }
  ///     // SELECT * FROM "player" WHERE "teamID" IN (1, 2, 3)
  ///
  /// A limit holds for each record.
  ///
  /// - Returns: The associated rows of each record; an empty array for a record without any.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when a record does not encode a column of
  ///   the foreign key, and decoding errors.
  public func fetchAll(
    _ db: Database,
    for records: some Sequence<OriginRowDecoder>
  ) throws -> [OriginRowDecoder: [RowDecoder]] {
    try path.fetch(db, for: records) { try RowDecoder.fetched(from: $0) }
  }
}

extension AssociationToOne
where OriginRowDecoder: TableRecord & EncodableRecord & Hashable, RowDecoder: Fetchable {
  /// Fetches the associated rows of several records by one statement.
  ///
  ///     let teams = try Player.team.fetchAll(db, for: players)
  ///     for player in players { print(player.name, teams[player]?.name ?? "no team") }
  ///     // SELECT * FROM "team" WHERE "id" IN (1, 2)
  ///
  /// - Returns: The associated row of each record that has one.
  /// - Throws: ``DatabaseError``, with `SQLITE_MISUSE` when a record does not encode a column of
  ///   the foreign key, and decoding errors.
  public func fetchAll(
    _ db: Database,
    for records: some Sequence<OriginRowDecoder>
  ) throws -> [OriginRowDecoder: RowDecoder] {
    try path.fetch(db, for: records) { try RowDecoder.fetched(from: $0) }.compactMapValues(\.first)
  }
}

extension AssociationPath {
  fileprivate func fetch<Record: TableRecord & EncodableRecord & Hashable, Element>(
    _ db: Database,
    for records: some Sequence<Record>,
    _ decode: (Row) throws -> Element
  ) throws -> [Record: [Element]] {
    let origin = TableReference(tableName: Record.databaseTableName)
    let pairs = try columnPairs(from: origin, db)
    let prefetch = Prefetch(
      scope: [],
      key: key.plural,
      path: self,
      columns: keyColumns(Array(pairs.indices), pairs, db),
      outside: []
    )
    var keys = PrefetchKeys(prefetch, db)
    var positions: [(Record, Int?)] = []
    for record in records {
      let values = try PersistenceContainer(record).valuesByColumn
      let key = try pairs.map { try origin.value(of: $0, values) }
      positions.append((record, try keys.insert(key)))
    }
    let groups = try PrefetchRun(prefetch, keys, db)?.elements(decode)
    return Dictionary(
      positions.map { record, position in
        (record, position.flatMap { groups?[$0] } ?? [])
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the columns of the foreign key.
  ///
  /// - Parameters:
  ///   - indexes: For each pair, the index of its first column in the rows of a request.
  ///   - pairs: The columns whose values are equal.
  ///   - db: A connection.
  /// - Returns: The columns.
  func keyColumns(
    _ indexes: [Int],
    _ pairs: [AssociationCondition.Pair],
    _ db: Database
  ) -> [Prefetch.Column] {
    let table = steps[0].statement.from.table
    return zip(indexes, pairs).map { index, pair in
      Prefetch.Column(
        index: index,
        destination: pair.destination,
        collation: db.keyCollation(ofColumn: pair.destination, in: table)
      )
    }
  }

  /// Returns the columns of the first step whose values are equal.
  ///
  /// - Throws: ``DatabaseError`` with `SQLITE_MISUSE` when the association has another condition.
  func columnPairs(
    from origin: TableReference,
    _ db: Database
  ) throws -> [AssociationCondition.Pair] {
    let destination = steps[0].statement.from.table
    if let pairs = try steps[0].condition.pairs(from: origin, to: destination, db) { return pairs }
    throw DatabaseError(
      resultCode: .SQLITE_MISUSE,
      message: """
        the association with \(destination.tableName) has a condition that is not made of a foreign \
        key, so that its rows cannot be fetched apart: use including(optional:)
        """
    )
  }
}
