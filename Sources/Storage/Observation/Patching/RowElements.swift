/// Makes the elements of the rows of a statement.
///
/// Each is made at its row. If further statements fetch rows that are associated with them, all are
/// made when the statement has ended.
struct RowElements<Element> {
  private let adapter: (any RowAdapter)?
  private let decode: (Row) throws -> Element
  private let buffer: RowBuffer?
  /// One object for all rows of a run.
  private var row: Row?
  private var elements: [Element] = []

  /// - Parameters:
  ///   - request: The request with the adapter of the rows, and with what is associated with them.
  ///   - db: The connection.
  ///   - decode: Makes an element of a row.
  init(
    _ request: RowForm,
    _ db: Database,
    _ decode: @escaping (Row) throws -> Element
  ) {
    adapter = request.adapter
    buffer = request.prefetching.map { RowBuffer(of: $0, db) }
    self.decode = decode
  }

  /// Adds the row at which a statement is.
  mutating func append(_ statement: Statement) throws {
    if let row {
      row.rewind()
    } else {
      row = buffer == nil ? try Row.live(in: statement, adapter) : Row(liveIn: statement)
    }
    guard let row else { return }
    if let buffer {
      try buffer.append(row)
    } else {
      elements.append(try decode(row))
    }
  }

  /// Runs a body that adds rows.
  ///
  /// - Parameter body: The body. The statement has ended after it.
  /// - Returns: The elements of all rows, in their order.
  /// - Throws: The error of the body, or of an element.
  mutating func collect(_ body: (inout Self) throws -> Void) throws -> [Element] {
    do {
      try body(&self)
      return try buffer?.decode(decode) ?? elements
    } catch {
      // Its rows hold the buffer.
      buffer?.finish()
      throw error
    }
  }
}

/// What elements are made of, besides the columns of a row.
struct RowForm {
  var adapter: (any RowAdapter)?
  /// The request whose associated rows further statements fetch.
  var prefetching: PreparedRequest?

  init(adapter: (any RowAdapter)?) {
    self.adapter = adapter
  }

  init(_ request: PreparedRequest) {
    adapter = request.adapter
    prefetching = request.prefetches.isEmpty ? nil : request
  }
}
