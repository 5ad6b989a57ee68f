let t: FTS5TableDefinition = example()
let pattern: FTS5Pattern = example()
