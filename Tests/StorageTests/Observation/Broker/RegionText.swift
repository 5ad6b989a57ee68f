@testable import Storage

// Regions and changes as text: "item(name,price)[1,2] shop", or "*" for everything. A region of
// rows that have 5 or 6 in a column is "item{agent=5,6}". Changes are of rows that have the values:
// "item[1,2]{agent=5@1,6@2}".

extension DatabaseRegion {
  init(_ text: String) {
    self.init(
      tables: text == "*"
        ? nil
        : parts(text).mapValues { part in
          let values = part.values.map { column, values in
            Set(
              values.map { SoughtValues(column: column, range: ValueRange(ValueKey(number: $0))) }
            )
          }
          return Table(columns: part.columns, rowIDs: part.rowIDs, values: Extent(values))
        }
    )
  }
}

extension DatabaseChanges {
  init(_ text: String) {
    self =
      text == "*"
      ? .everything
      : .tables(
        parts(text).mapValues { part in
          var table = Table(columns: part.columns, rowIDs: part.rowIDs)
          if let (column, values) = part.values {
            for value in values {
              let key = ValueKey(number: value.prefix { $0 != "@" })
              let row = Int64(value.drop { $0 != "@" }.dropFirst()) ?? 0
              let rows = RowsOfValue.one(row)
              table.values[column, default: [:]][key] =
                table.values[column]?[key]?.union(rows) ?? rows
            }
          }
          return table
        }
      )
  }
}

extension ValueKey {
  fileprivate init(number: some StringProtocol) {
    self = ValueKey((Int64(number) ?? 0).databaseValue, .numeric, .binary) ?? .null
  }
}

private struct Part {
  let columns: Extent<ColumnName>
  let rowIDs: Extent<Int64>
  let values: (column: ConditionColumn, values: [Substring])?
}

private func parts(_ text: String) -> [TableName: Part] {
  var parts: [TableName: Part] = [:]
  let part = /(\w+)(?:\(([^)]*)\))?(?:\[([^\]]*)\])?(?:\{(\w+)=([^}]*)\})?/
  for match in text.matches(of: part) {
    let (_, table, columns, rowIDs, column, values) = match.output
    parts[TableName(schema: "main", name: String(table))] = Part(
      columns: Extent(columns.map { Set($0.split(separator: ",").map { ColumnName(String($0)) }) }),
      rowIDs: Extent(rowIDs.map { Set($0.split(separator: ",").compactMap { Int64($0) }) }),
      values: column.map { column in
        let column = ConditionColumn(name: ColumnName(String(column)), collation: .binary)
        return (column, (values ?? "").split(separator: ","))
      }
    )
  }
  return parts
}
