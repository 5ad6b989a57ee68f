/// A cursor that decodes the rows of a statement.
public final class DecodingCursor<Element: Fetchable>: Cursor {
  private let rows: RowCursor

  init(_ statement: Statement, _ adapter: (any RowAdapter)? = nil) {
    rows = RowCursor(statement, adapter)
  }

  /// Returns the next element, or `nil` at the end.
  ///
  /// - Throws: ``DatabaseError`` when the step fails, or a decoding error. After a decoding error
  ///   the cursor can continue with the next row.
  public func next() throws -> Element? {
    guard let row = try rows.next() else { return nil }
    return try Element.fetched(from: row)
  }
}

/// A cursor of records.
public typealias RecordCursor<Record: FetchableRecord> = DecodingCursor<Record>

/// A cursor of values.
public typealias DatabaseValueCursor<Value: DatabaseValueConvertible> = DecodingCursor<Value>
