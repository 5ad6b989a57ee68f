struct Player: TableRecord {
  enum Columns { static let bonus = TypedColumn<Int>("bonus") }
}
let t: TableAlteration = example()
