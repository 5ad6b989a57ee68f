/// The columns of a table that have values in the preupdate hook: in the order in which they are
/// stored, without virtual ones.
struct StoredColumns {
  let names: [String]
  /// The columns with a default: a row that was written before the column was added shows NULL for
  /// it, and reads as the default.
  let hasDefault: [Bool]
  /// How many columns the hook counts that have no value.
  let virtualCount: Int
  /// Where the columns are declared.
  private let places: [Int32]
  private let isWithoutRowID: Bool
  /// The column whose values cannot be had, if there is one.
  private let hiddenColumn: Int?

  init(of table: TableName, _ db: Database) throws {
    let all = try Row.fetchAll(
      db,
      sql: "SELECT cid, name, hidden, dflt_value, pk FROM pragma_table_xinfo(?, ?)",
      arguments: [table.name, table.schema]
    )
    let rows = all.filter { $0["hidden"] as Int != 2 }
    names = rows.map { ($0["name"] as String).asciiLowercased }
    hasDefault = rows.map { $0["dflt_value"] as String? != nil }
    virtualCount = all.count - rows.count
    places = rows.map { Int32($0["cid"] as Int) }
    isWithoutRowID =
      try virtualCount > 0
      && Bool.fetchOne(
        db,
        sql: "SELECT wr FROM pragma_table_list WHERE schema = ? AND lower(name) = lower(?)",
        arguments: [table.schema, table.name]
      ) == true
    // SQLite 3.40 takes the number of a stored column for the place of the key, and gives the row id.
    let key = all.filter { $0["pk"] as Int > 0 }.map { Int($0["cid"] as Int) }
    hiddenColumn =
      virtualCount > 0 && !isWithoutRowID && !PreupdateNumbering.followsDeclaration
        && key.count == 1 && places.indices.contains(key[0]) && Int(places[key[0]]) != key[0]
      ? key[0] : nil
  }

  /// The numbers that the hook has for a column's values before and after an update; `nil` when it has
  /// none of them.
  func numbers(of column: Int) -> (old: Int32, new: Int32)? {
    if column == hiddenColumn { return nil }
    guard virtualCount > 0, column < places.count else { return (Int32(column), Int32(column)) }
    let place = places[column]
    let number = PreupdateNumbering.followsDeclaration ? place : Int32(column)
    return (isWithoutRowID ? place : number, number)
  }

  /// The columns of these names, as a set.
  func set(of names: Set<String>?) -> ColumnSet {
    guard let names else { return .all }
    var set = ColumnSet()
    for (index, name) in self.names.enumerated() where names.contains(name) { set.insert(index) }
    return set
  }

  /// The names of the columns in a set.
  func names(in set: ColumnSet) -> Set<String> {
    Set(names.indices.filter(set.contains).map { names[$0] })
  }
}

/// A set of column numbers. From the 64th on, columns share one place: if one of them is in the set,
/// all are.
struct ColumnSet: Equatable {
  private var bits: UInt64 = 0

  static let all: ColumnSet = {
    var set = ColumnSet()
    set.bits = .max
    return set
  }()

  var isEmpty: Bool { bits == 0 }

  mutating func insert(_ column: Int) { bits |= Self.bit(column) }
  func contains(_ column: Int) -> Bool { bits & Self.bit(column) != 0 }
  mutating func formUnion(_ other: ColumnSet) { bits |= other.bits }

  func subtracting(_ other: ColumnSet) -> ColumnSet {
    var set = self
    set.bits &= ~other.bits
    return set
  }

  private static func bit(_ column: Int) -> UInt64 { 1 << UInt64(min(column, 63)) }
}
