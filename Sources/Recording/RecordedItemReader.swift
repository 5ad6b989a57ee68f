/// Reads the items of a recorded transaction one by one.
struct RecordedItemReader {
  private var bytes: RecordedBytes
  private var tables: [RecordedTable]

  /// - Parameters:
  ///   - bytes: The binary form.
  ///   - position: Where the next item begins.
  ///   - tables: The tables that items before it have named.
  init(_ bytes: [UInt8], from position: Int, tables: [RecordedTable] = []) {
    self.bytes = RecordedBytes(bytes, from: position)
    self.tables = tables
  }

  /// Returns the next item; `nil` at the end.
  mutating func next() throws(RecordingError) -> RecordedItem? {
    while !bytes.isAtEnd {
      guard let code = RecordedItemCode(rawValue: try bytes.byte()) else {
        throw .damaged("an item has an unknown kind")
      }
      if code != .table { return try item(code) }
      try readTable()
    }
    return nil
  }

  private mutating func readTable() throws(RecordingError) {
    let name = try bytes.text()
    let (columnCount, keyCount) = (try bytes.unsigned(), try bytes.unsigned())
    // https://www.sqlite.org/limits.html#max_column
    guard columnCount <= 32767, keyCount <= columnCount else {
      throw .damaged("a table has too many columns")
    }
    tables.append(
      RecordedTable(name: name, columnCount: Int(columnCount), keyCount: Int(keyCount))
    )
  }

  private mutating func item(_ code: RecordedItemCode) throws(RecordingError) -> RecordedItem {
    switch code {
    case .insert:
      let table = try table()
      let rowID = table.keyCount == 0 ? try bytes.signed() : nil
      return .insert(table, rowID: rowID, values: try bytes.values(table.columnCount))
    case .update: return try update()
    case .delete:
      let table = try table()
      return .delete(table, try key(of: table))
    case .schema: return .schema(sql: try bytes.text())
    case .sequences:
      let names = try bytes.values(try bytes.count())
      return .sequences(names: names, rows: try sequences())
    case .allSequences: return .sequences(names: nil, rows: try sequences())
    case .userVersion: return .userVersion(try bytes.signed())
    case .applicationID: return .applicationID(try bytes.signed())
    case .snapshotNeeded: return .snapshotNeeded(reason: try bytes.text())
    case .table: throw .damaged("an item has an unknown kind")
    }
  }

  private mutating func update() throws(RecordingError) -> RecordedItem {
    let table = try table()
    let key = try key(of: table)
    var newRowID: Int64?
    if table.keyCount == 0 {
      switch try bytes.byte() {
      case 0: break
      case 1: newRowID = try bytes.signed()
      default: throw .damaged("a row id has an unknown kind")
      }
    }
    var changes: [RecordedChange] = []
    while true {
      let number = try bytes.unsigned()
      guard number > 0 else { break }
      guard number <= table.columnCount, changes.last.map({ $0.column + 1 < Int(number) }) ?? true
      else { throw .damaged("a row has an unknown column") }
      changes.append(RecordedChange(column: Int(number) - 1, value: try bytes.value()))
    }
    guard !changes.isEmpty || newRowID != nil else {
      throw .damaged("an update changes nothing")
    }
    return .update(table, key, newRowID: newRowID, changes: changes)
  }

  private mutating func table() throws(RecordingError) -> RecordedTable {
    let number = try bytes.unsigned()
    guard number < tables.count else { throw .damaged("a row has an unknown table") }
    return tables[Int(number)]
  }

  private mutating func key(of table: RecordedTable) throws(RecordingError) -> RecordedKey {
    table.keyCount == 0
      ? .rowID(try bytes.signed()) : .columns(try bytes.values(table.keyCount))
  }

  private mutating func sequences() throws(RecordingError) -> [RecordedSequence] {
    var rows: [RecordedSequence] = []
    for _ in 0..<(try bytes.count(ofSize: 3)) {
      let rowID = try bytes.signed()
      rows.append(
        RecordedSequence(rowID: rowID, name: try bytes.value(), value: try bytes.value())
      )
    }
    return rows
  }
}
