/// `"ancestor"("id", "parentID") AS (SELECT …)`
struct CommonTable: Hashable, Sendable {
  let name: String
  let columns: [String]
  let isRecursive: Bool
  let query: SQLSubquery

  func write(to context: inout SQLContext) throws {
    context.append(identifier: name)
    if !columns.isEmpty {
      context.append("(\(columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
    }
    context.append(" AS ")
    try query.write(to: &context)
  }
}
