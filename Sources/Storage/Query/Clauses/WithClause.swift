/// `"ancestor"("id", "parentID") AS (SELECT …)`
struct CommonTable: Hashable, Sendable {
  let name: String
  let columns: [String]
  let isRecursive: Bool
  let query: SQLSubquery

  func hasSameName(as other: CommonTable) -> Bool { name.isSameName(as: other.name) }

  func write(to context: inout SQLContext) throws {
    context.append(identifier: name)
    if !columns.isEmpty {
      context.append("(\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
    }
    context.append(" AS ")
    try query.write(to: &context)
  }
}

/// `WITH RECURSIVE "ancestor" AS (…)`
struct WithClause: Hashable, Sendable {
  var tables: [CommonTable] = []

  mutating func append(_ table: CommonTable) {
    // A later definition of a name replaces an earlier one.
    tables.removeAll { $0.hasSameName(as: table) }
    tables.append(table)
  }

  func write(to context: inout SQLContext) throws {
    guard !tables.isEmpty else { return }
    context.append(tables.contains(where: \.isRecursive) ? "WITH RECURSIVE " : "WITH ")
    for (index, table) in tables.enumerated() {
      if index > 0 { context.append(", ") }
      try table.write(to: &context)
    }
    context.append(" ")
  }
}
