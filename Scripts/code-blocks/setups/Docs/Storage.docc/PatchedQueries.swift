let observation: AnyDatabaseCancellable = example()
