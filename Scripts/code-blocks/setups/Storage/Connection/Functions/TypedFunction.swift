struct Attachment: TableRecord {
  enum Columns { static let type = TypedColumn<String>("type") }
}
let conforms = TypedFunction("conforms") { (type: String, to: String) in type == to }
