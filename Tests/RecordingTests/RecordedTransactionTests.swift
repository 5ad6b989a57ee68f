import Testing

@testable import Recording
@testable import Storage
@testable import StorageTestSupport

/// The binary form of a recorded transaction.
@Suite struct RecordedTransactionTests {
  private static func recorded() throws -> (transaction: RecordedTransaction, log: [RecordedItem]) {
    let queue = try DatabaseQueue()
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x);
          CREATE TABLE k (x, y, PRIMARY KEY (y, x)) WITHOUT ROWID;
          """
      )
    }
    let transactions = try queue.recordTransactions()
    try queue.write { db in
      try db.execute(
        sql: """
          INSERT INTO a (x) VALUES (NULL), (1.5), ('é'), (x'00ff');
          UPDATE a SET x = 9 WHERE id = 2;
          UPDATE a SET id = -3 WHERE id = 1;
          DELETE FROM a WHERE id = 3;
          INSERT INTO k VALUES ('x', 'y');
          UPDATE k SET x = 'z';
          DELETE FROM k;
          CREATE TABLE n (x);
          PRAGMA user_version = -4;
          PRAGMA application_id = 5;
          """
      )
    }
    return (try #require(transactions.all.first), transactions.lastItems)
  }

  @Test func `the items come in the order of execution`() throws {
    let a = RecordedTable(name: "a", columnCount: 1, keyCount: 0)
    let k = RecordedTable(name: "k", columnCount: 2, keyCount: 2)
    let sequence = RecordedSequence(rowID: 1, name: .text(["a".utf8.first!]), value: .integer(4))
    let items = try Self.recorded().log
    #expect(
      items == [
        .insert(a, rowID: 1, values: [.null]),
        .insert(a, rowID: 2, values: [.real(1.5)]),
        .insert(a, rowID: 3, values: [.text(ArraySlice("é".utf8))]),
        .insert(a, rowID: 4, values: [.blob([0, 0xFF])]),
        .update(
          a,
          .rowID(2),
          newRowID: nil,
          changes: [RecordedChange(column: 0, value: .integer(9))]
        ),
        .update(a, .rowID(1), newRowID: -3, changes: []),
        .delete(a, .rowID(3)),
        .insert(k, rowID: nil, values: [.text(["x".utf8.first!]), .text(["y".utf8.first!])]),
        .update(
          k,
          .columns([.text(["y".utf8.first!]), .text(["x".utf8.first!])]),
          newRowID: nil,
          changes: [RecordedChange(column: 0, value: .text(["z".utf8.first!]))]
        ),
        .delete(k, .columns([.text(["y".utf8.first!]), .text(["z".utf8.first!])])),
        .schema(sql: "CREATE TABLE n (x);"),
        .sequences(names: nil, rows: [sequence]),
        .userVersion(-4),
        .applicationID(5),
      ]
    )
  }

  @Test func `the binary form gives the same items, and is refused when it is cut`() throws {
    let (transaction, items) = try Self.recorded()
    let bytes = transaction.encoded()
    let decoded = try RecordedTransaction(decoding: bytes)
    #expect(decoded == transaction)
    #expect(decoded.items == items)
    #expect(decoded.snapshotReason == nil)
    var whole = 0
    for count in bytes.indices {
      // A cut between two items leaves fewer items, which the checksum of an entry notices.
      let cut = try? RecordedTransaction(decoding: Array(bytes[..<count]))
      guard let cut else { continue }
      #expect(items.starts(with: cut.items))
      whole += 1
    }
    // Each item, and each of the two tables, begins behind a whole transaction.
    #expect(whole == items.count + 2)
  }

  @Test func `bytes of another version, and damaged ones, throw`() throws {
    #expect(throws: RecordingError.damaged("it is cut off")) {
      try RecordedTransaction(decoding: [])
    }
    #expect(throws: RecordingError.unknownFormat(9)) { try RecordedTransaction(decoding: [9, 1]) }
    #expect(throws: RecordingError.damaged("an item has an unknown kind")) {
      try RecordedTransaction(decoding: [1, 99])
    }
    #expect(throws: RecordingError.damaged("a row has an unknown table")) {
      try RecordedTransaction(decoding: [1, RecordedItemCode.delete.rawValue, 0, 2])
    }
  }

  @Test func `a transaction that needs a snapshot says why`() throws {
    let transaction = RecordedTransaction(snapshotNeeded: "the reason")
    #expect(transaction.snapshotReason == "the reason")
    let decoded = try RecordedTransaction(decoding: transaction.encoded())
    #expect(decoded.snapshotReason == "the reason")
  }
}
