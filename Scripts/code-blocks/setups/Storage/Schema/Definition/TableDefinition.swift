struct Player: TableRecord {
  enum Columns {
    static let name = TypedColumn<String>("name")
    static let nickname = TypedColumn<String?>("nickname")
  }
}
let t: TableDefinition = example()
