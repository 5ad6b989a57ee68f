internal import CWellspringSQLite

extension RawConnection {
  /// Inserts rows in one transaction with the prepared ``Integers/insertion``.
  func insert(_ rows: [Integers], with insertion: OpaquePointer) throws {
    try execute("BEGIN IMMEDIATE")
    for row in rows {
      sqlite3_bind_int64(insertion, 1, Int64(row.a))
      sqlite3_bind_int64(insertion, 2, Int64(row.b))
      sqlite3_bind_int64(insertion, 3, Int64(row.c))
      sqlite3_bind_int64(insertion, 4, Int64(row.d))
      sqlite3_bind_int64(insertion, 5, Int64(row.e))
      sqlite3_bind_int64(insertion, 6, Int64(row.f))
      sqlite3_bind_int64(insertion, 7, Int64(row.g))
      sqlite3_bind_int64(insertion, 8, Int64(row.h))
      sqlite3_bind_int64(insertion, 9, Int64(row.i))
      sqlite3_bind_int64(insertion, 10, Int64(row.j))
      try run(insertion)
    }
    try execute("COMMIT")
  }

  /// Inserts rows in one transaction with the prepared ``Sale/insertion``.
  func insert(_ rows: [Sale], with insertion: OpaquePointer) throws {
    try execute("BEGIN IMMEDIATE")
    for row in rows {
      sqlite3_bind_int64(insertion, 1, Int64(row.number))
      rawBind(row.customer, insertion, 2)
      rawBind(row.product, insertion, 3)
      sqlite3_bind_int64(insertion, 4, Int64(row.quantity))
      sqlite3_bind_double(insertion, 5, row.price)
      sqlite3_bind_double(insertion, 6, row.discount)
      sqlite3_bind_double(insertion, 7, row.total)
      if let note = row.note {
        rawBind(note, insertion, 8)
      } else {
        sqlite3_bind_null(insertion, 8)
      }
      sqlite3_bind_int64(insertion, 9, Int64(row.clerk))
      sqlite3_bind_int64(insertion, 10, Int64(row.rating))
      try run(insertion)
    }
    try execute("COMMIT")
  }
}
