let t: FTS3TableDefinition = example()
let pattern: FTS3Pattern = example()
