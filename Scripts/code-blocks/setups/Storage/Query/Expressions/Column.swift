enum CodingKeys: String, CodingKey { case id }
let pattern: FTS5Pattern = example()
