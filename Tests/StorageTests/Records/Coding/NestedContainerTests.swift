import Storage
import Testing

@testable import StorageTestSupport

/// Types that decode associations by the containers of a decoder.
@Suite struct NestedContainerTests {
  private struct Key: CodingKey, Hashable {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Info: Decodable, FetchableRecord {
    var keys: [String]
    var author: String?
    var country: String?
    var awards: [String] = []
    var superAuthor: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      keys = container.allKeys.map(\.stringValue)
      let author = try container.nestedContainer(keyedBy: Key.self, forKey: Key("author"))
      self.author = try author.decode(String.self, forKey: Key("name"))
      let country = try author.nestedContainer(keyedBy: Key.self, forKey: Key("country"))
      self.country = try country.decodeIfPresent(String.self, forKey: Key("name"))
      keys += author.allKeys.map { "author.\($0.stringValue)" }
      var awards = try container.nestedUnkeyedContainer(forKey: Key("awards"))
      while !awards.isAtEnd {
        let award = try awards.nestedContainer(keyedBy: Key.self)
        self.awards.append(try award.decode(String.self, forKey: Key("name")))
      }
      superAuthor = try container.superDecoder(forKey: Key("author"))
        .container(keyedBy: Key.self).decode(String.self, forKey: Key("name"))
    }
  }

  private static let request = Book.select(\.id, \.title)
    .including(
      required: Book.author.select(\.name).including(optional: Author.country.select(\.name))
    )
    .including(all: Book.awards.order(\.id)).orderByPrimaryKey()

  @Test func `an association's key has a nested container, and is among the keys`() throws {
    try withLibrary { db in
      for infos in [
        try Self.request.asRequest(of: Info.self).fetchAll(db),
        try Row.fetchAll(db, Self.request).map { try Info(row: $0) },
        try Row.fetchAll(db, Self.request).map { try Info(from: $0.decoder()) },
      ] {
        let info = try #require(infos.first)
        #expect(
          info.keys == ["id", "title", "author", "awards", "author.name", "author.country"]
        )
        #expect(info.author == "Melville")
        #expect(info.country == "United States")
        #expect(info.awards == ["Best Whale", "Longest"])
        #expect(info.superAuthor == "Melville")
        #expect(infos.map(\.author) == ["Melville", "Melville", "Zola", "Auster"])
      }
    }
  }

  @Test(arguments: ["title", "missing", "author"])
  func `a key without an associated row has no container`(_ key: String) throws {
    struct Failing: Decodable, FetchableRecord {
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let name = try #require(decoder.userInfo[.key] as? String)
        _ = try container.nestedContainer(keyedBy: Key.self, forKey: Key(name))
      }
    }
    try withLibrary { db in
      let request = Book.filter(key: 5).including(optional: Book.author)
      let row = try #require(try Row.fetchOne(db, request))
      #expect(throws: RowDecodingError.self) {
        try FetchableRecordDecoder(userInfo: [.key: key]).decode(Failing.self, from: row)
      }
    }
  }

  @Test(arguments: ["null", " null\n", "", "  ", nil])
  func `JSON without a value is no value of an optional property`(_ text: String?) throws {
    struct Address: Codable, Equatable { var city: String }
    struct Shop: Codable, FetchableRecord {
      var address: Address?
      var tags: [String]?
    }
    struct Strict: Codable, FetchableRecord { var address: Address }
    try withDatabase { db in
      let request: SQLRequest<Shop> = "SELECT \(text) AS address, \(text) AS tags"
      let shop = try #require(try request.fetchOne(db))
      #expect(shop.address == nil)
      #expect(shop.tags == nil)
      #expect(throws: RowDecodingError.self) {
        _ = try Strict.fetchOne(db, request.asRequest(of: Strict.self))
      }
      #expect(throws: RowDecodingError.self) {
        try SQLRequest<Shop>("SELECT 'nul' AS address").fetchOne(db)
      }
    }
  }
}

extension CodingUserInfoKey {
  fileprivate static let key = CodingUserInfoKey(rawValue: "key")!
}
