extension DatabaseRegion {
  /// Returns why changes of a table of the region do not touch it; `nil` if they do, or if they are
  /// changes of other tables.
  func reasonToSkip(
    _ changes: CommittedChanges
  ) -> ObservationExplanation.SkippedCommit.Reason? {
    let observed = changes.observed
    guard case .tables(let changed) = observed, let tables, !isTouched(by: observed) else {
      return nil
    }
    for (name, part) in tables {
      guard let change = changed[name] else {
        // Only columns have changed that no query reads.
        if changes.writtenTables.contains(name) { return .columns }
        continue
      }
      if !change.columns.overlaps(part.columns) { return .columns }
      return change.rowIDs.overlaps(part.rowIDs) ? .values : .rows
    }
    return nil
  }
}
