import Foundation
import Testing

@testable import Storage
@testable import StorageTestSupport

private protocol Sample: Codable, DatabaseValueConvertible {
  static var sample: Self { get }
}

private enum Only: String, Codable, DatabaseValueConvertible { case one }
private enum Alone: String, Codable, DatabaseValueConvertible { case two }

extension Only: Sample { static var sample: Self { .one } }
extension Alone: Sample { static var sample: Self { .two } }
extension Int8: Sample { static var sample: Self { 1 } }
extension Int64: Sample { static var sample: Self { 2 } }
extension Bool: Sample { static var sample: Self { true } }
extension String: Sample { static var sample: Self { "text" } }
extension Date: Sample { static var sample: Self { Date(timeIntervalSince1970: 0) } }
extension UUID: Sample { static var sample: Self { UUID() } }
extension Optional: Sample where Wrapped: Sample { static var sample: Self { .some(.sample) } }

private struct Triple<A: Sample, B: Sample, C: Sample>: Codable, PersistableRecord {
  static var databaseTableName: String { "triple" }
  var first = A.sample
  let second: B
  var third = C.sample
  init() { second = .sample }
}

/// The message of the error that a column represents.
private func message(_ column: String) -> String? { UnknownColumn.error(in: column)?.message }

@Suite struct RecordPropertiesTests {
  private static var types: [any Sample.Type] {
    [
      Only.self, Alone.self, Int8.self, Int64.self, Bool.self, String.self, Date?.self, UUID.self,
      Only?.self, Bool?.self,
    ]
  }

  @Test(arguments: types.indices)
  func `the column of a property is the one that the record stores its value in`(_ index: Int)
    throws
  {
    func check<A: Sample, B: Sample, C: Sample>(_: A.Type, _: B.Type, _: C.Type) throws {
      let values = try Triple<A, B, C>().databaseDictionary
      #expect(values.count == 3)
      let columns = Triple<A, B, C>.columns
      let names = [columns.first.name, columns.second.name, columns.third.name]
      for (name, property) in zip(names, ["first", "second", "third"]) {
        // Properties of one type without a size are all at the same address.
        if let message = message(name) {
          let types: [any Any.Type] = [A.self, B.self, C.self]
          let sizes = [MemoryLayout<A>.size, MemoryLayout<B>.size, MemoryLayout<C>.size]
          let position = ["first", "second", "third"].firstIndex(of: property)!
          #expect(sizes[position] == 0)
          #expect(types.count { $0 == types[position] } > 1)
          #expect(message.contains("takes no space"))
        } else {
          #expect(name == property)
        }
      }
      #expect(values["second"] == B.sample.databaseValue || B.self == UUID.self)
    }
    for second in Self.types {
      for third in Self.types { try check(Self.types[index], second, third) }
    }
  }

  @Test func `stored properties have the names by which their key paths describe themselves`() {
    // A key path of a property that takes no space has the name of another property at its offset.
    for (name, property) in StoredProperties.ofStruct(Snake.self) {
      #expect(property.debugDescription == "\\Snake.\(name)")
    }
    for (name, property) in StoredProperties.ofStruct(Many.self) {
      #expect(property.debugDescription == "\\Many.\(name)")
    }
    #expect(StoredProperties.ofStruct(Many.self).count == 70)
    #expect(StoredProperties.ofStruct(Only.self).isEmpty)
    #expect(StoredProperties.ofStruct(Child.self).isEmpty)
    #expect(
      StoredProperties.ofClass(Child.self).map(\.name)
        == ["id", "open", "size", "title", "observed", "secret", "kind"]
    )
  }

  @Test func `coding keys give columns other names`() {
    struct Swapped: Codable, FetchableRecord, TableRecord {
      var a, b: Int
      var `class`, third: String
      enum CodingKeys: String, CodingKey { case a = "b", b = "a", `class`, third = "my third" }
    }
    let columns = Swapped.columns
    #expect(columns.a.name == "b")
    #expect(columns.b.name == "a")
    #expect(columns.class.name == "class")
    #expect(columns.third.name == "my third")
  }

  @Test func `one property, and many, have coding keys`() {
    struct Single: Codable, TableRecord { var price: Double? }
    #expect(Single.columns.price.name == "price")
    #expect(Many.columns.p0.name == "p0")
    #expect(Many.columns.p69.name == "column 69")
  }

  @Test func `strategies convert the names of columns`() {
    #expect(Snake.columns.firstName.name == "first_name")
    #expect(Snake.columns.userID.name == "user_id")
    #expect(SnakeReader.columns.firstName.name == "first_name")
    #expect(Shouting.columns.firstName.name == "FIRSTNAME")
    #expect(
      message(SnakeWriter.columns.firstName.name) == """
        SnakeWriter.firstName is written to the column first_name, from which it is not read: the \
        strategies of the record differ. Declare its column in the type: enum Columns: RecordColumns \
        { typealias Record = SnakeWriter; static let firstName = Column("firstName") }
        """
    )
    #expect(message(CustomReader.columns.name.name)?.contains("strategies") == true)
  }

  @Test func `generic records, nested types and existential key paths are found`() {
    func second<Value: Sample>(_: Value.Type) -> String {
      Triple<Int8, Value, Bool>.columns.second.name
    }
    #expect(second(String.self) == "second")
    #expect(second(Date?.self) == "second")
    func column<Record: TableRecord & Decodable, Value>(_ property: KeyPath<Record, Value>)
      -> String
    { PropertyColumns<Record>[dynamicMember: property].name }
    #expect(column(\Snake.userID) == "user_id")
    #expect(column(\Snake.userID as WritableKeyPath) == "user_id")
  }

  @Test func `properties of a final class, and final ones of a class, are found`() {
    #expect(Child.columns.id.name == "id")
    #expect(Child.columns.size.name == "how big")
    #expect(Child.columns.title.name == "title")
    // Again, from the cache.
    #expect(Child.columns.size.name == "how big")
    for name in [
      Child.columns.computed.name, Child.columns.open.name, Child.columns.observed.name,
    ] {
      #expect(message(name)?.contains("it is computed, lazy, nested or overridable") == true)
    }
    #expect(message(Child.columns.secret.name)?.contains("Child.secret has no coding key") == true)
    #expect(message(Child.columns.kind.name) != nil)
  }

  @Test func `what is not stored has no column`() {
    #expect(
      message(Odd.columns.computed.name) == """
        no stored property of Odd is at this key path to Int: it is computed, lazy, nested or \
        overridable, or it has a wrapper or observers, or Odd was compiled without reflection \
        metadata. Write a closure for a part of a property, as in order { $0.address["city"] }. \
        Declare its column in the type: enum Columns: RecordColumns { typealias Record = \
        Odd; static let name = Column("name") }
        """
    )
    let nested = Odd.columns[dynamicMember: \.pair.a]
    let whole = Odd.columns[dynamicMember: \.self]
    let optional = Odd.columns[dynamicMember: \.maybe?.a]
    for name in [
      Odd.columns.observed.name, Odd.columns.wrapped.name, nested.name, whole.name, optional.name,
    ] {
      #expect(message(name)?.contains("no stored property of Odd") == true)
    }
    #expect(Odd.columns.pair.name == "pair")
    #expect(Odd.columns.kept.name == "kept")
    #expect(message(Odd.columns.left.name)?.contains("Odd.left has no coding key") == true)
  }

  @Test func `a record with its own decoding may have keys that are not known`() {
    #expect(message(StructKeys.columns.price.name)?.contains("are not known to Swift") == true)
    #expect(message(TwoKeys.columns.price.name)?.contains("has two coding keys") == true)
    #expect(message(Single.columns.value.name) != nil)
    #expect(message(Flattened.columns.price.name)?.contains("are not known to Swift") == true)
    #expect(Handwritten.columns.price.name == "cost")
    #expect(message(Handwritten.columns.ignored.name)?.contains("has no coding key") == true)
  }

  @Test func `a property without a column is an error of each statement that uses it`() throws {
    try withDatabase { db in
      try db.execute(sql: "CREATE TABLE odd (pair, kept)")
      let expected = try #require(message(Odd.columns.computed.name))
      let odd = Odd()
      func expect(_ body: () throws -> Void) {
        expectDatabaseError(.SQLITE_MISUSE, expected, body)
      }
      expect { _ = try Odd.filter { $0.computed == 1 }.fetchAll(db) }
      expect { _ = try Odd.order(\.computed.desc).fetchOne(db) }
      expect { _ = try Odd.select(\.computed).fetchAll(db) }
      expect { _ = try Odd.filter { length($0.computed) > 1 }.isEmpty(db) }
      expect {
        let name = Odd.columns.computed.name
        _ = try Odd.select(.allColumns(excluding: [name])).fetchAll(db)
      }
      expect { try Odd.updateAll(db) { $0.computed.set(to: 1) } }
      expect { try Odd.filter { $0.computed == 1 }.deleteAll(db) }
      expect { try odd.update(db, columns: [Odd.columns.computed.column]) }
      expect { try db.create(table: "new") { $0.column(Odd.columns.computed) } }
      expect {
        let alias = TableAlias<Odd>()
        _ = try Odd.all().aliased(alias).filter(alias.computed == 1).fetchAll(db)
      }
    }
  }

  @Test func `threads find one set of properties`() async {
    struct New<Value: Codable>: Codable, TableRecord { var id: Int; var value: Value }
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          [
            New<Int>.columns.value.name, New<[Int]>.columns.id.name, New<String>.columns.value.name,
            New<[String]>.columns.id.name, New<Bool>.columns.value.name,
          ]
        }
      }
      for await names in group { #expect(names == ["value", "id", "value", "id", "value"]) }
    }
  }
}

// MARK: - Records

private struct Snake: Codable, FetchableRecord, PersistableRecord {
  static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
  static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
  var firstName: String
  var userID: Int
}

private struct SnakeReader: Decodable, FetchableRecord, TableRecord {
  static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.convertFromSnakeCase
  var firstName: String
}

private struct SnakeWriter: Codable, FetchableRecord, PersistableRecord {
  static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
  var firstName: String
}

private struct Shouting: Codable, PersistableRecord {
  static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom {
    $0.stringValue.uppercased()
  }
  var firstName: String
}

private struct CustomReader: Decodable, FetchableRecord, TableRecord {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  static let databaseColumnDecodingStrategy = DatabaseColumnDecodingStrategy.custom {
    Key(stringValue: String($0.dropFirst()))
  }
  var name: String
}

private class Parent: Codable {
  final var id = 1
  var open = 2
}

private final class Child: Parent, FetchableRecord, TableRecord {
  var size = 1.5
  let title = "a"
  var observed = 3 { didSet {} }
  var secret = 4
  let kind = Only.one
  var computed: Int { 5 }

  private enum CodingKeys: String, CodingKey { case size = "how big", title, observed, kind }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decode(Double.self, forKey: .size)
    try super.init(from: decoder)
  }
}

@propertyWrapper private struct Wrapped: Codable { var wrappedValue: Int }

private struct Odd: Codable, FetchableRecord, PersistableRecord {
  struct Pair: Codable { var a: Int8 = 1 }

  var pair = Pair()
  var kept = 2
  var observed = 3 { didSet {} }
  @Wrapped var wrapped = 4
  var left = 5
  var maybe: Pair?
  var computed: Int { 6 }

  enum CodingKeys: CodingKey { case pair, kept, observed, wrapped, maybe }
}

private struct StructKeys: Decodable, FetchableRecord, TableRecord {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
  var price: Double
  init(from decoder: any Decoder) throws {
    price = try decoder.container(keyedBy: Key.self).decode(
      Double.self,
      forKey: Key(stringValue: "p")
    )
  }
}

private struct TwoKeys: Decodable, FetchableRecord, TableRecord {
  private enum OldKeys: String, CodingKey { case price = "cost" }
  private enum CodingKeys: String, CodingKey { case price }
  var price: Double
  init(from decoder: any Decoder) throws {
    let old = try decoder.container(keyedBy: OldKeys.self)
    if let value = try? old.decode(Double.self, forKey: .price) {
      price = value
    } else {
      price = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .price)
    }
  }
}

private struct Single: Codable, TableRecord {
  var value: Int
  init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(Int.self)
  }
}

private struct Flattened: Decodable, FetchableRecord, TableRecord {
  private enum CodingKeys: String, CodingKey { case price }
  var part: Handwritten
  var price: Double
  init(from decoder: any Decoder) throws {
    part = try Handwritten(from: decoder)
    price = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .price)
  }
}

private struct Handwritten: Codable, FetchableRecord, TableRecord {
  var price: Double
  var ignored = 1
  private enum CodingKeys: String, CodingKey { case price = "cost" }
  init(from decoder: any Decoder) throws {
    // Values that are made up would not pass.
    let value = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .price)
    precondition(value > 1_000)
    price = value
  }
}

private struct Many: Codable, TableRecord {
  var p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18, p19,
    p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35, p36, p37,
    p38, p39, p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52, p53, p54, p55,
    p56, p57, p58, p59, p60, p61, p62, p63, p64, p65, p66, p67, p68, p69: Int?
  enum CodingKeys: String, CodingKey {
    case p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15, p16, p17, p18,
      p19, p20, p21, p22, p23, p24, p25, p26, p27, p28, p29, p30, p31, p32, p33, p34, p35,
      p36, p37, p38, p39, p40, p41, p42, p43, p44, p45, p46, p47, p48, p49, p50, p51, p52,
      p53, p54, p55, p56, p57, p58, p59, p60, p61, p62, p63, p64, p65, p66, p67, p68, p69 =
      "column 69"
  }
}
