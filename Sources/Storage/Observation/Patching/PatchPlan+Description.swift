extension PatchPlan {
  /// What the patched result is made of, line by line.
  ///
  /// ```text
  /// rows 1 to 50 of sale
  ///   each with a row of customer
  ///   each with the rows of note by saleid
  /// ```
  ///
  /// - Parameter subject: What is made of the rows, if that is not the result: "the number of".
  /// - Returns: The lines. Those about other tables are indented.
  func description(of subject: String? = nil) -> String {
    let rows =
      window.map { "rows \($0.offset + 1) to \($0.offset + $0.limit) of" } ?? "the rows of"
    var lines = ["\(subject.map { "\($0) " } ?? "")\(rows) \(table.name)"]
    lines += partners.map { "  each with a row of \($0.name)" }
    lines += linkLines(to: table, indentation: "  ", [table])
    lines += others.map(\.name).sorted().map { "  all with the rows of \($0)" }
    return lines.joined(separator: "\n")
  }

  private func linkLines(
    to target: TableName,
    indentation: String,
    _ outer: Set<TableName>
  ) -> [String] {
    links.filter { $0.target == target }
      .flatMap { link in
        let line = "each with the rows of \(link.table.name) by \(link.column.name.name)"
        let tables = outer.union([link.table])
        return [indentation + line]
          + (outer.contains(link.table)
            ? [] : linkLines(to: link.table, indentation: indentation + "  ", tables))
      }
  }
}
