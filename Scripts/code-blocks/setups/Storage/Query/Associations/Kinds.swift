struct Passport: TableRecord { static let citizen = belongsTo(Person.self) }
