import Foundation
import GRDB

/// A person who borrows books. The id is given by the desk.
struct Member: Identifiable, Equatable, Sendable {
  enum Standing: Int, DatabaseValueConvertible {
    case good, blocked
  }

  var id: UUID
  var name: String
  var email: String?
  var standing: Standing
}

extension Member: TableRecord {
  static let databaseTableName = "person"

  enum Columns: String, ColumnExpression {
    case id, name, email, standing
  }

  static let loans = hasMany(Loan.self)
}

extension Member: FetchableRecord {
  init(row: Row) {
    id = row[Columns.id]
    name = row[Columns.name]
    email = row[Columns.email]
    standing = row[Columns.standing]
  }
}

extension Member: PersistableRecord {
  static let persistenceConflictPolicy = PersistenceConflictPolicy(insert: .abort, update: .abort)

  func encode(to container: inout PersistenceContainer) {
    container[Columns.id] = id
    container[Columns.name] = name
    container[Columns.email] = email
    container[Columns.standing] = standing
  }
}
