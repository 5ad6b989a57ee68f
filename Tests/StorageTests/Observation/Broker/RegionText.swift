@testable import Storage

// Regions and changes as text: "item(name,price)[1,2] shop", or "*" for everything.

extension DatabaseRegion {
  init(_ text: String) {
    self.init(
      tables: text == "*"
        ? nil : parts(text).mapValues { Table(columns: $0.columns, rowIDs: $0.rowIDs) }
    )
  }
}

extension DatabaseChanges {
  init(_ text: String) {
    self =
      text == "*"
      ? .everything
      : .tables(
        parts(text).mapValues { Table(columns: $0.columns, rowIDs: $0.rowIDs) }
      )
  }
}

private func parts(_ text: String) -> [TableName: (
  columns: Extent<ColumnName>, rowIDs: Extent<Int64>
)] {
  var parts: [TableName: (columns: Extent<ColumnName>, rowIDs: Extent<Int64>)] = [:]
  for match in text.matches(of: /(\w+)(?:\(([^)]*)\))?(?:\[([^\]]*)\])?/) {
    let (_, table, columns, rowIDs) = match.output
    parts[TableName(schema: "main", name: String(table))] = (
      Extent(columns.map { Set($0.split(separator: ",").map { ColumnName(String($0)) }) }),
      Extent(rowIDs.map { Set($0.split(separator: ",").compactMap { Int64($0) }) })
    )
  }
  return parts
}
