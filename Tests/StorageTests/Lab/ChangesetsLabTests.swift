import Foundation
import Storage
import Testing

@testable import StorageTestSupport

/// Changesets that are cut off or damaged: an error, and never a half or endless application.
@Suite struct ChangesetsLabTests {
  private static let schema = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, price REAL, picture BLOB);
    CREATE TABLE entry (day TEXT, part INTEGER, note, PRIMARY KEY (day, part)) WITHOUT ROWID;
    INSERT INTO item VALUES (1, 'cup', 4, x'00ff'), (2, 'pot', NULL, zeroblob(300));
    """

  /// Inserts, updates and deletes of two tables, with values of all types and with long values.
  private static func recordChangeset() throws -> Changeset {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(sql: schema)
      return try db.recordChangeset {
        try db.execute(
          sql: """
            INSERT INTO item VALUES (3, 'tea', 1.5, zeroblob(20000)), (-7, NULL, NULL, NULL);
            UPDATE item SET name = 'mug', price = 5 WHERE id = 1;
            DELETE FROM item WHERE id = 2;
            INSERT INTO entry VALUES ('monday', 1, 'note'), ('monday', 2, 2.5);
            """
        )
      }
    }
  }

  @Test func `a whole changeset of all kinds of changes and values is accepted`() throws {
    let changeset = try Self.recordChangeset()
    #expect(try changeset.operations().count == 6)
    #expect(try changeset.inverted().inverted() == changeset)
    #expect(try changeset.concatenated(with: changeset.inverted()).isEmpty)
    let queue = try DatabaseQueue()
    try queue.write { db throws in
      try db.execute(sql: Self.schema)
      try db.apply(changeset: changeset)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM item") == 3)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") == 2)
    }
  }

  @Test func `a changeset that is cut off anywhere ends with an error or fewer changes`() throws {
    let whole = try Self.recordChangeset()
    let queue = try DatabaseQueue()
    try queue.write { db in try db.execute(sql: Self.schema) }
    let lengths = Set(0..<200).union((whole.data.count - 500)..<whole.data.count)
    for length in lengths where length < whole.data.count {
      let changeset = Changeset(data: whole.data.prefix(length))
      _ = try? changeset.operations()
      _ = try? changeset.inverted()
      _ = try? changeset.concatenated(with: whole)
      _ = try? whole.concatenated(with: changeset)
      try queue.writeWithoutTransaction { db in
        try db.inTransaction {
          try? db.apply(changeset: changeset)
          return .rollback
        }
      }
    }
  }

  @Test func `the name of a table that does not end is an error`() throws {
    // Found by the fuzzer.
    let data = try #require(Data(base64Encoded: "VCMAAAAAAAAAABIAAQAAAAAAAAAFYXADA0BlAhAAAAAAAAA="))
    for data in [data, Data("T\u{1}\u{1}item".utf8), Data("T".utf8), Data("P\u{1}".utf8)] {
      let changeset = Changeset(data: data)
      expectDatabaseError(.SQLITE_CORRUPT, "database disk image is malformed") {
        _ = try changeset.operations()
      }
      #expect(throws: DatabaseError.self) { try changeset.inverted() }
      #expect(throws: DatabaseError.self) { try changeset.concatenated(with: changeset) }
      try withDatabase { db in
        #expect(throws: DatabaseError.self) { try db.apply(changeset: changeset) }
      }
    }
  }

  // SQLite reads values of unknown types as values without bytes.
  @Test func `a changeset with unknown values that ends within a table's header is refused`()
    throws
  {
    let data = try #require(Data(base64Encoded: "VAMBAABpdGVtABIAZW0AEgD+AABU/wBpAEAAQBAAAAAAAAA="))
    let error = #expect(throws: DatabaseError.self) {
      _ = try Changeset(data: data).operations()
    }
    #expect(error?.resultCode == .SQLITE_CORRUPT)
  }

  @Test(
    arguments: [
      // An insertion without its first value.
      "VAMBaXRlbQASAQAFAA==",
      // A key that is NULL.
      "VAMAAQwAEgUFBQU=",
      // Deletions from a table without a key.
      "UAIAAGl0AAkAUAIAAGl0AAkA",
      // The same table, once with three columns and once with one.
      "VAMAADsAEmMFAwJAVAMBABJjBQMCQFQDAQxUAQwAEgAEBRIMHAAAEgAEBRIAHAwAEgAEABIABAUSDBwAAA==",
      // The length of the last value is cut off.
      "VAMIaXQAEiMCAAAAAAAAAAUDC3RlBQMLdGVqAkBUAw==",
      "UAMBAABpdAASIwIAAAAAAAAABQMLdGUFAwt0ZWoCQFQD",
    ]
  )
  func `a change that lacks a value is refused before SQLite reads it`(base64: String) throws {
    let changeset = Changeset(data: try #require(Data(base64Encoded: base64)))
    for use in [
      { _ = try changeset.operations() },
      { _ = try changeset.inverted() },
      { _ = try changeset.concatenated(with: Self.recordChangeset()) },
      { try withDatabase { db in try db.apply(changeset: changeset) } },
    ] as [() throws -> Void] {
      let error = #expect(throws: DatabaseError.self) { try use() }
      #expect(error?.resultCode == .SQLITE_CORRUPT)
    }
  }
}
