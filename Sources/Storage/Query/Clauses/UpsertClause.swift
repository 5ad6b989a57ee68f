/// ` ON CONFLICT("email") DO UPDATE SET "score" = "excluded"."score"`
struct UpsertClause: Hashable, Sendable {
  let target: [String]
  let assignments: [ColumnAssignment]

  func write(to context: inout SQLContext) throws {
    context.append(" ON CONFLICT")
    if !target.isEmpty {
      context.append("(\(target.map(\.quotedDatabaseIdentifier).joined(separator: ", ")))")
    }
    context.append(" DO UPDATE SET ")
    for (index, assignment) in assignments.enumerated() {
      if index > 0 { context.append(", ") }
      try assignment.write(to: &context)
    }
  }
}
