enum Columns { static let authorID = Column("authorID") }
