/// Which columns an upsert updates in the conflicting row, in addition to the assignments of the
/// call.
public enum UpsertUpdateStrategy: Sendable {
  /// All columns that the record encodes are overwritten, except those of the primary key and of
  /// the conflict target.
  case allColumns
  /// Only the assignments of the call are made.
  case noColumnUnlessSpecified
}

extension ColumnExpression {
  /// Leaves the column of the conflicting row unchanged in an upsert.
  ///
  ///     let stored = try word.upsertAndFetch(db, onConflict: ["word"]) { _ in
  ///       [Column("count") += 1, Column("isTainted").noOverwrite]
  ///     }
  ///     // … DO UPDATE SET "count" = "count" + 1, "kind" = "excluded"."kind"
  ///     // RETURNING *, "rowid"
  public var noOverwrite: ColumnAssignment { ColumnAssignment(name, Column(name).sqlExpression) }
}

extension TypedColumn {
  /// Leaves the column of the conflicting row unchanged in an upsert.
  ///
  ///     let stored = try word.upsertAndFetch(db, onConflict: ["word"]) { _ in
  ///       [Word.columns.count += 1, Word.columns.isTainted.noOverwrite]
  ///     }
  ///     // … DO UPDATE SET "count" = "count" + 1, "kind" = "excluded"."kind"
  ///     // RETURNING *, "rowid"
  public var noOverwrite: ColumnAssignment { column.noOverwrite }
}

extension ColumnAssignment {
  /// Whether the assignment leaves its column unchanged.
  var isUnchanging: Bool { value == Column(column).sqlExpression.node }
}
