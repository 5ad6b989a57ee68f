struct Employee: TableRecord { enum Columns { static let id = Column("id"); static let name = Column("name") } }
let manager = TableAlias<Employee>(name: "manager")
