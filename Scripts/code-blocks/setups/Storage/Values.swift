struct Address: Codable, DatabaseValueConvertible {}
let address: Address = example()
