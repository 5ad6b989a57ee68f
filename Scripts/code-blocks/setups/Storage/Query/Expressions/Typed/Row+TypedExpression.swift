enum Columns { static let email = TypedColumn<String?>("email") }
let name = TypedColumn<String>("name")
let age = TypedColumn<Int>("age")
let managers = TableAlias<Employee>(name: "manager")
