/// A table in the `FROM` of a query that may be patched.
struct PatchTable {
  let name: TableName
  /// How columns of the table are qualified.
  let qualifier: String
  /// What identifies its rows.
  let key: PatchKey
  /// Whether it is the right table of a `LEFT JOIN`.
  let isOptional: Bool
}
