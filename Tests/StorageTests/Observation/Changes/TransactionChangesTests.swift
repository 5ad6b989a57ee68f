import CWellspringSQLite
import Testing

@testable import Storage

/// The changes that are reported for a transaction, from rows as the preupdate hook reports them.
///
/// Insertions and deletions are noted without SQLite, as text: `+item[1]`, `-item[1]`; `item` is
/// observed with its columns and rows, `log` is not observed, `stock` without single rows.
@Suite struct TransactionChangesTests {
  private var connection: OpaquePointer { OpaquePointer(bitPattern: 8)! }

  private func changes() -> TransactionChanges {
    let columns: [ColumnName] = ["id", "name"]
    return TransactionChanges(
      totalChanges: 100,
      isTracked: true,
      observedTables: ObservedTables(
        [
          TableName(schema: "main", name: "item"): ObservedTable(
            columns: .all,
            hasRowObservers: true
          ),
          TableName(schema: "main", name: "stock"): ObservedTable(
            columns: .some(["name"]),
            hasRowObservers: false
          ),
        ],
        includesFullDatabase: false
      ),
      storedColumns: [
        TableName(schema: "main", name: "item"): StoredColumns(names: columns),
        TableName(schema: "main", name: "stock"): StoredColumns(names: columns),
      ]
    )
  }

  /// Notes `+table[id]` or `-table[id]`.
  @discardableResult
  private func note(_ row: String, in changes: inout TransactionChanges) -> TableChanges.Settlement
  {
    let name = String(row.dropFirst().prefix { $0 != "[" })
    let id = Int64(row.drop { $0 != "[" }.dropFirst().dropLast())!
    let operation = row.first == "+" ? SQLITE_INSERT : SQLITE_DELETE
    // Each call has its own copy of the names, and two copies can have one address.
    changes.forgetAddresses()
    let row = PreupdateRow(
      connection: connection,
      operation: operation,
      oldRowID: id,
      newRowID: id
    )
    return changes.note(row, "main", name)
  }

  private func finish(_ changes: inout TransactionChanges) -> String {
    let committed = changes.finish(growth: ObservationGeneration(1))
    guard case .tables(let tables) = committed.observed else { return "everything" }
    return tables.map { name, table in
      let rows = table.rowIDs.elements.map { "\($0.sorted())" } ?? "[*]"
      let names = table.columns.elements.map { $0.sorted().map(\.name).joined(separator: ",") }
      let columns = names.map { "(\($0))" } ?? ""
      return "\(name)\(columns)\(rows)"
    }.sorted().joined(separator: " ")
  }

  @Test func `rows of an observed table are kept`() {
    var changes = changes()
    note("+item[2]", in: &changes)
    note("-item[1]", in: &changes)
    #expect(finish(&changes) == "item[1, 2]")
  }

  @Test func `rows are not kept where single rows are not observed`() {
    var changes = changes()
    #expect(note("+stock[2]", in: &changes) == .all)
    note("+log[1]", in: &changes)
    #expect(finish(&changes) == "log[*] stock[*]")
  }

  @Test func `rows are kept up to a thousand`() {
    var changes = changes()
    for id in 1...1000 { #expect(note("+item[\(id)]", in: &changes) == .none) }
    #expect(note("+item[1001]", in: &changes) == .all)
    #expect(finish(&changes) == "item[*]")
  }

  @Test func `a table is found by its name in any case, whatever the address`() {
    var changes = changes()
    note("+item[1]", in: &changes)
    changes.forgetAddresses()
    note("+ITEM[2]", in: &changes)
    #expect(finish(&changes) == "item[1, 2]")
  }

  @Test func `the next transaction begins without changes`() {
    var changes = changes()
    note("+item[1]", in: &changes)
    changes.setEverything()
    changes.add(.everything)
    changes.begin(totalChanges: 101)
    #expect(finish(&changes) == "")
    note("+item[2]", in: &changes)
    #expect(finish(&changes) == "item[2]")
  }

  // MARK: Rows without events

  @Test func `tables that are not observed are told from those of the last transaction`() {
    var changes = changes()
    for (number, (rows, tables)) in [
      (["+log[1]"], ["log"]), (["+log[2]"], ["log"]),
      (["+log[3]", "+other[1]"], ["log", "other"]),
      (["+other[2]", "+log[4]"], ["other", "log"]), (["+other[3]"], ["other"]), ([], []), ([], []),
      (["+other[4]", "+stock[1]"], ["other", "stock"]), (["+other[5]"], ["other"]),
    ].enumerated() {
      changes.begin(totalChanges: 100)
      for row in rows { note(row, in: &changes) }
      let growth = ObservationGeneration(UInt64(number / 4))
      let committed = changes.finish(growth: growth)
      #expect(committed.writtenTables.map(\.name) == tables)
      #expect(committed.growth == growth)
      guard case .tables(let observed) = committed.observed else {
        Issue.record("everything has changed in transaction \(number)")
        continue
      }
      #expect(Set(observed.keys.map(\.name)) == Set(tables))
    }
    changes.begin(totalChanges: 100)
    note("+other[6]", in: &changes)
    changes.addAll(of: TableName(schema: "main", name: "sequence"))
    let unreported = changes.finish(growth: ObservationGeneration(2))
    guard case .tables(let observed) = unreported.observed else {
      Issue.record("everything has changed")
      return
    }
    #expect(Set(observed.keys.map(\.name)) == ["other", "sequence"])
  }

  @Test func `rows that SQLite counts without an event are missed`() {
    var changes = changes()
    note("+item[1]", in: &changes)
    #expect(!changes.missedRows(totalChanges: 101))
    #expect(changes.missedRows(totalChanges: 102))
    changes.countKnownRows(1)
    #expect(!changes.missedRows(totalChanges: 102))
  }

  @Test func `rows of a virtual table have no events, but its shadow tables have`() {
    var changes = changes()
    note("+item[1]", in: &changes)
    #expect(!changes.missedRows(totalChanges: 102) { $0.name == "item" })
    #expect(changes.missedRows(totalChanges: 102) { $0.name == "stock" })
    #expect(changes.missedRows(totalChanges: 103) { $0.name == "item" })
  }

  @Test func `without the hook, all rows are missed`() {
    let changes = TransactionChanges(
      totalChanges: 0,
      isTracked: false,
      observedTables: ObservedTables(),
      storedColumns: [:]
    )
    #expect(changes.missedRows(totalChanges: 0))
  }

  @Test func `a change without an event is everything, or the table that is named`() {
    var changes = changes()
    changes.addAll(of: TableName(schema: "main", name: "item"))
    note("+item[1]", in: &changes)
    #expect(finish(&changes) == "item[*]")
    changes.setEverything()
    #expect(finish(&changes) == "everything")
  }

  // MARK: Savepoints

  @Test func `a rollback to a savepoint takes its changes back`() {
    var changes = changes()
    note("+item[1]", in: &changes)
    changes.beginSavepoint("a")
    note("+item[2]", in: &changes)
    note("+log[1]", in: &changes)
    changes.setEverything()
    changes.rollBack(toSavepoint: "a")
    #expect(finish(&changes) == "item[1]")
  }

  @Test func `rows after the rollback count again`() {
    var changes = changes()
    changes.beginSavepoint("a")
    note("+item[2]", in: &changes)
    changes.rollBack(toSavepoint: "a")
    note("+item[3]", in: &changes)
    #expect(finish(&changes) == "item[3]")
  }

  @Test func `a released savepoint keeps its changes`() {
    var changes = changes()
    changes.beginSavepoint("a")
    changes.beginSavepoint("b")
    note("+item[2]", in: &changes)
    changes.releaseSavepoint("b")
    #expect(finish(&changes) == "item[2]")
    changes.rollBack(toSavepoint: "a")
    #expect(finish(&changes) == "")
  }
}
