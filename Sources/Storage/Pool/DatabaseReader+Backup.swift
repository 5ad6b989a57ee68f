extension DatabaseReader {
  /// Copies this database into another one, and replaces the content of that one: see
  /// ``Database/backup(to:pagesPerStep:progress:)``.
  ///
  /// - Throws: ``DatabaseError``, or what `progress` throws.
  public func backup(
    to destination: some DatabaseWriter,
    pagesPerStep: Int = -1,
    progress: (DatabaseBackupProgress) throws -> Void = { _ in }
  ) throws {
    try destination.barrierWriteWithoutTransaction { to in
      try unsafeRead { from in
        try from.backup(to: to, pagesPerStep: pagesPerStep, progress: progress)
      }
    }
  }
}
