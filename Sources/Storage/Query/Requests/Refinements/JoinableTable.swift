/// A type that a request can join: a ``Table``, a ``TableAlias``, a request or a
/// ``CommonTableExpression``.
///
/// An ``Association`` implies its condition: see ``RefinableRequest/including(required:)``.
public protocol JoinableTable {
  /// The table as part of a request that joins it.
  var joinedTable: JoinedTable { get }
}

extension Table: JoinableTable {
  /// The join of all columns and rows.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: [AllColumns().sqlSelection])
  }
}

extension TableAlias: JoinableTable where RowDecoder: TableRecord {
  /// The join of all rows, with the default selection of the record type.
  public var joinedTable: JoinedTable {
    JoinedTable(table: tableReference, selection: RowDecoder.databaseSelection.map(\.sqlSelection))
  }
}

extension QueryInterfaceRequest: JoinableTable {
  /// The join of the rows that satisfy the request's filters, with the request's selection.
  public var joinedTable: JoinedTable {
    JoinedTable(
      table: selectStatement.from.table,
      selection: selectStatement.select.selection,
      conditions: selectStatement.filter.conditions
    )
  }
}
