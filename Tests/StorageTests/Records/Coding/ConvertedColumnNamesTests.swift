@testable import Storage
import Testing

@Suite struct ConvertedColumnNamesTests {
  enum Key: String, CodingKey { case firstName, lastName, nickName }

  struct Plain: EncodableRecord {
    func encode(to container: inout PersistenceContainer) {}
  }

  struct Snake: EncodableRecord {
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.convertToSnakeCase
    func encode(to container: inout PersistenceContainer) {}
  }

  struct Counting: EncodableRecord {
    nonisolated(unsafe) static var conversions = 0
    static let databaseColumnEncodingStrategy = DatabaseColumnEncodingStrategy.custom { key in
      conversions += 1
      return "c_\(key.stringValue)"
    }
    func encode(to container: inout PersistenceContainer) {}
  }

  @Test func `a type without a conversion needs no names`() {
    #expect(ConvertedColumnNames(Plain.self) == nil)
  }

  @Test func `keys are found in any order, and with gaps`() throws {
    for keys in [[Key.firstName, .lastName], [.lastName, .firstName], [.nickName, .lastName]] {
      var names = try #require(ConvertedColumnNames(Snake.self))
      for key in keys {
        #expect(names.column(of: key) == SnakeCase.snakeCased(key.stringValue))
      }
      names.save()
    }
  }

  @Test func `a key is converted once for all records of a type`() throws {
    for _ in 0..<3 {
      var names = try #require(ConvertedColumnNames(Counting.self))
      #expect(names.column(of: Key.firstName) == "c_firstName")
      #expect(names.column(of: Key.lastName) == "c_lastName")
      names.save()
    }
    #expect(Counting.conversions == 2)
  }
}
