import Storage
import Testing
import TestSupport

@testable import StorageTestSupport

/// Defines tables of random columns and constraints, and compares the schema with the definitions.
@Suite struct TableDefinitionRandomTests {
  private struct RandomColumn {
    let name: String
    let type: Database.ColumnType?
    let isNotNull: Bool
    let isUnique: Bool
    let isIndexed: Bool
    let number: Int?
    let collation: Database.CollationName?
    let parent: String?
    let generation: ColumnDefinition.GeneratedColumnQualification?

    init(_ index: Int, isStrict: Bool, using generator: inout SeededGenerator) {
      func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
      name =
        ["c", "Column ", "quoted\"", "ä", "select"].randomElement(using: &generator)! + "\(index)"
      let types: [Database.ColumnType?] =
        isStrict
        ? [.text, .integer, .real, .blob, .any]
        : [nil, .text, .integer, .double, .boolean, .datetime]
      type = types.randomElement(using: &generator)!
      isNotNull = chance(30)
      isUnique = chance(20)
      isIndexed = chance(20)
      collation = chance(20) ? [.nocase, .rtrim, .binary].randomElement(using: &generator) : nil
      let isGenerated = index > 0 && chance(15)
      generation = isGenerated ? (chance(50) ? .virtual : .stored) : nil
      number = !isGenerated && chance(30) ? Int.random(in: -99...99, using: &generator) : nil
      parent =
        !isGenerated && chance(20) ? ["team", "countries"].randomElement(using: &generator) : nil
    }

    func define(_ t: TableDefinition) {
      let column = t.column(name, type)
      if isNotNull { column.notNull() }
      if isUnique { column.unique() }
      if isIndexed { column.indexed() }
      if let number { column.defaults(to: number).check { $0 > number - 1 } }
      if let collation { column.collate(collation) }
      if let parent { column.references(parent, onDelete: .setNull, deferred: isNotNull) }
      if let generation { column.generatedAs(SQL("1 + \(1)"), generation) }
    }
  }

  private struct RandomTable {
    let columns: [RandomColumn]
    let key: [String]
    let options: TableOptions

    init(using generator: inout SeededGenerator) {
      let isStrict = Bool.random(using: &generator)
      columns = (0..<Int.random(in: 1...8, using: &generator)).map {
        RandomColumn($0, isStrict: isStrict, using: &generator)
      }
      let candidates = columns.filter { $0.generation == nil }.map(\.name)
      let count = Int.random(in: 0...min(2, candidates.count), using: &generator)
      key = Array(candidates.shuffled(using: &generator).prefix(count))
      let isWithoutRowID = !key.isEmpty && Bool.random(using: &generator)
      var options: TableOptions = []
      if isStrict { options.insert(.strict) }
      if isWithoutRowID { options.insert(.withoutRowID) }
      self.options = options
    }

    func define(_ t: TableDefinition) {
      for column in columns { column.define(t) }
      if !key.isEmpty { t.primaryKey(key) }
    }

    func check(_ db: Database) throws {
      let infos = try db.columns(in: "t")
      #expect(infos.map(\.name) == columns.map(\.name))
      #expect(infos.map(\.type) == columns.map { $0.type?.rawValue ?? "" })
      #expect(infos.map(\.generation) == columns.map(\.generation))
      #expect(infos.map(\.defaultValueSQL) == columns.map { $0.number.map(String.init) })
      for (info, column) in zip(infos, columns) {
        let isRowID = key == [column.name] && column.type == .integer
        let isInKey = key.contains(column.name)
        let mayBeNull = !column.isNotNull && (!isInKey || isRowID)
        // In a table without row ids, SQLite adds NOT NULL to the key.
        #expect(info.isNotNull == !mayBeNull || options.contains(.withoutRowID) && isInKey)
        #expect(info.primaryKeyIndex == (key.firstIndex(of: column.name).map { $0 + 1 } ?? 0))
        if column.isUnique { try #expect(db.table("t", hasUniqueKey: [column.name])) }
      }
      let primaryKey = try db.primaryKey("t")
      #expect(primaryKey.columns == (key.isEmpty ? ["rowid"] : key))
      #expect(primaryKey.tableHasRowID == !options.contains(.withoutRowID))
      let indexes = try db.indexes(on: "t").filter { $0.origin == .createIndex }
      #expect(
        Set(indexes.map(\.columns))
          == Set(columns.filter { $0.isIndexed && !$0.isUnique }.map { [$0.name] })
      )
      for index in indexes {
        let column = columns.first { [$0.name] == index.columns }
        #expect(index.terms.map(\.collation) == [column?.collation ?? .binary])
      }
      let keys = try db.foreignKeys(on: "t")
      let references = columns.filter { $0.parent != nil }
      #expect(Set(keys.map(\.originColumns)) == Set(references.map { [$0.name] }))
      for key in keys {
        let column = references.first { [$0.name] == key.originColumns }
        #expect(key.destinationTable == column?.parent)
        #expect(key.destinationColumns == [key.destinationTable == "team" ? "id" : "code"])
        #expect(key.onDelete == .setNull)
      }
    }
  }

  @Test func `soak: random tables are read back as they were defined and rebuilt`() throws {
    var generator = SeededGenerator(seed: 7)
    try withParents { db in
      for _ in 0..<Soak.size(10_000, inSuite: 100) {
        let table = RandomTable(using: &generator)
        try db.create(table: "t", options: table.options, body: table.define)
        try table.check(db)
        let other = RandomTable(using: &generator)
        let sharesColumns = !Set(other.columns.filter { $0.generation == nil }.map(\.name))
          .isDisjoint(with: table.columns.map(\.name))
        if sharesColumns {
          for index in try db.indexes(on: "t") where index.origin == .createIndex {
            try db.drop(index: index.name)
          }
          try db.rebuild(table: "t", options: other.options, body: other.define)
          try other.check(db)
        }
        try db.drop(table: "t")
      }
    }
  }
}
