let log: MemoryLog = example()
