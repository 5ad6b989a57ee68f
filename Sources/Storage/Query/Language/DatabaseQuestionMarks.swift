/// Returns parameters for a number of values, separated by commas.
///
///     let marks = databaseQuestionMarks(count: 3)
///     let sql = "SELECT * FROM player WHERE id IN (\(marks))"
///     // SELECT * FROM player WHERE id IN (?,?,?)
///
/// - Parameter count: The number of values.
/// - Returns: The parameters: `?,?,?`.
public func databaseQuestionMarks(count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ",")
}
