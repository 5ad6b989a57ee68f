struct Author: TableRecord { static let books = hasMany(Book.self) }
struct Book: TableRecord {
  static let author = belongsTo(Author.self)
  static let reviews = hasMany(Review.self)
}
struct Review: TableRecord {}
