let t: FTS4TableDefinition = example()
let pattern: FTS3Pattern = example()
