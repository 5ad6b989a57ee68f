internal import CWellspringSQLite

extension Database {
  /// Adds a collation to the connection, or replaces the one that has its name.
  ///
  ///     configuration.prepareDatabase { db in db.add(collation: plain) }
  ///
  /// - Precondition: No statement of the connection is running when a collation is replaced.
  public func add(collation: DatabaseCollation) {
    let code = sqlite3_create_collation_v2(
      sqliteConnection,
      collation.name,
      SQLITE_UTF8,
      Unmanaged.passRetained(DatabaseCollation.Box(collation)).toOpaque(),
      { box, leftCount, left, rightCount, right in
        Unmanaged<DatabaseCollation.Box>.fromOpaque(box!).takeUnretainedValue().compare(
          UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
          UnsafeRawBufferPointer(start: right, count: Int(rightCount))
        )
      },
      { Unmanaged<DatabaseCollation.Box>.fromOpaque($0!).release() }
    )
    checkCollation(code)
  }

  /// Removes the collation with this name.
  ///
  /// - Precondition: No statement of the connection is running.
  public func remove(collation: DatabaseCollation) {
    checkCollation(
      sqlite3_create_collation_v2(
        sqliteConnection,
        collation.name,
        SQLITE_UTF8,
        nil,
        nil,
        nil
      )
    )
  }

  private func checkCollation(_ code: Int32) {
    precondition(
      code == SQLITE_OK,
      """
      A collation cannot be replaced or removed while statements that may use it are running. \
      Do it before the fetch, or after its cursors have ended.
      """
    )
  }
}
