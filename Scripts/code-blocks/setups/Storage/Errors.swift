let error: DatabaseError = example()
