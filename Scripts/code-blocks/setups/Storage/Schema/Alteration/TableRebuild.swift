let t: TableRebuild = example()
