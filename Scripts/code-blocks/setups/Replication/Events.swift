let node: ReplicatedDatabase = example()
