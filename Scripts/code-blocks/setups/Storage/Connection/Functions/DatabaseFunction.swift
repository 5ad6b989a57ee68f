let initial: DatabaseFunction = example()
let conforms = TypedFunction("conforms") { (type: String, to: String) in type == to }
