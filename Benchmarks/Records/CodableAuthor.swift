internal import Storage

/// The columns of ``Author`` in a record that conforms to `Codable`.
struct CodableAuthor: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "author"

  var id: Int
  var name: String

  static let books = hasMany(CodableBook.self)
}

extension CodableAuthor: Checksummed {
  var checksum: Int { [id, name.checksum].checksum }
}

/// The columns of ``Book`` in a record that conforms to `Codable`.
struct CodableBook: Codable, FetchableRecord, TableRecord {
  static let databaseTableName = "book"

  var id: Int
  var authorID: Int
  var title: String
  var price: Double
}

extension CodableBook: Checksummed {
  var checksum: Int { [id, authorID, title.checksum, price.checksum].checksum }
}

/// An author with all books, decoded by the names of the associations.
struct CodableOeuvre: Decodable, FetchableRecord {
  var author: CodableAuthor
  var books: [CodableBook]
}

extension CodableOeuvre: Checksummed {
  var checksum: Int { author.checksum &* 31 &+ books.checksum }
}
