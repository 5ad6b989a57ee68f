// MARK: - Tables

extension SQLInterpolation {
  /// Embeds the name of a record type's table.
  ///
  ///     "SELECT * FROM \(Player.self)"
  ///     // SELECT * FROM "player"
  public mutating func appendInterpolation<Record: TableRecord>(_ type: Record.Type) {
    elements.append(.identifier(type.databaseTableName))
  }

  /// Embeds the name of a record's table.
  ///
  ///     let player = try Player.find(db, id: 1)
  ///     "DELETE FROM \(tableOf: player) WHERE id = \(player.id)"
  ///     // DELETE FROM "player" WHERE id = 1
  public mutating func appendInterpolation<Record: TableRecord>(tableOf record: Record) {
    elements.append(.identifier(Record.databaseTableName))
  }

  /// Embeds the name of a table.
  ///
  ///     "SELECT * FROM \(Table("player"))"
  ///     // SELECT * FROM "player"
  public mutating func appendInterpolation<RowDecoder>(_ table: Table<RowDecoder>) {
    elements.append(.table(table.tableReference))
  }

  /// Embeds the result columns that a record type selects by default, qualified with the name of
  /// its table, or with an alias.
  ///
  ///     "SELECT \(columnsOf: Player.self, tableAlias: "p") FROM player p"
  ///     // SELECT "p".* FROM player p
  public mutating func appendInterpolation<Record: TableRecord>(
    columnsOf type: Record.Type,
    tableAlias alias: String? = nil
  ) {
    let table = TableReference(tableName: type.databaseTableName, alias: alias)
    for (index, selection) in type.databaseSelection.enumerated() {
      if index > 0 { appendLiteral(", ") }
      elements.append(.selection(SQLSelection(.owned(selection.sqlSelection, by: table))))
    }
  }
}

// MARK: - Common table expressions

extension SQLInterpolation {
  /// Embeds the name of a common table expression.
  ///
  ///     "WITH \(definitionFor: leaders) SELECT * FROM \(leaders)"
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public mutating func appendInterpolation<RowDecoder>(
    _ expression: CommonTableExpression<RowDecoder>
  ) {
    elements.append(.table(expression.tableReference))
  }

  /// Embeds the definition of a common table expression, as `WITH` expects it.
  ///
  ///     "WITH \(definitionFor: leaders) SELECT * FROM \(leaders)"
  ///     // WITH "leader" AS (SELECT …) SELECT * FROM "leader"
  public mutating func appendInterpolation<RowDecoder>(
    definitionFor expression: CommonTableExpression<RowDecoder>
  ) {
    elements.append(.definition(expression.table))
  }
}

// MARK: - Collations

extension SQLInterpolation {
  /// Embeds the name of a collation.
  ///
  ///     "SELECT * FROM player ORDER BY email COLLATE \(.nocase)"
  ///     // SELECT * FROM player ORDER BY email COLLATE NOCASE
  public mutating func appendInterpolation(_ collation: Database.CollationName) {
    appendLiteral(collation.rawValue.sqlWord)
  }

  /// Embeds the name of a collation that Swift computes.
  ///
  ///     "SELECT * FROM player ORDER BY name COLLATE \(.localizedCompare)"
  ///     // SELECT * FROM player ORDER BY name COLLATE swiftLocalizedCompare
  public mutating func appendInterpolation(_ collation: DatabaseCollation) {
    appendLiteral(collation.name.sqlWord)
  }
}
