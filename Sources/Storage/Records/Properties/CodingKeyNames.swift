/// The coding keys that a type asks its decoder for.
struct CodingKeyNames {
  /// The keys by the names of the enum's cases, which are the names of the properties.
  private(set) var keys: [String: any CodingKey] = [:]
  /// Names that two types of keys give to different keys.
  private(set) var ambiguousNames: Set<String> = []
  /// Whether keys are not the cases of a plain enum in the type.
  private(set) var areUnknown = false

  /// Finds the keys without decoding a value: the decoder throws when it is asked for one.
  init(of type: any Decodable.Type) {
    let userInfo = (type as? any FetchableRecord.Type)?.databaseDecodingUserInfo ?? [:]
    var type: (any Decodable.Type)? = type
    while let current = type {
      let decoder = KeyTypeDecoder(userInfo: userInfo)
      _ = try? current.init(from: decoder)
      for keyType in decoder.found.keyTypes { add(keyType, of: current) }
      // The initializer of a class does not reach the initializer of its superclass.
      type = (current as? AnyClass).flatMap(_getSuperclass) as? any Decodable.Type
    }
  }

  private mutating func add<Key: CodingKey>(_ type: Key.Type, of owner: Any.Type) {
    // Keys from elsewhere may belong to another type that is decoded from the same columns.
    let isOwn = _typeName(type, qualified: true).hasPrefix("\(_typeName(owner, qualified: true)).")
    guard isOwn, let cases = EnumCases<Key>() else { return areUnknown = true }
    for (name, key) in cases.named {
      if let known = keys[name], known.stringValue != key.stringValue {
        ambiguousNames.insert(name)
      }
      keys[name] = key
    }
  }
}

/// The cases of an enum without associated values.
private struct EnumCases<Value> {
  let named: [(name: String, value: Value)]

  /// - Returns: `nil` for a type that is not such an enum, and where Swift has no names of cases.
  init?() {
    guard let count = Self.count, _isPOD(Value.self) else { return nil }
    var named: [(String, Value)] = []
    for tag in 0..<count {
      // A value of such an enum is the number of its case, in as many bytes as it needs.
      let value = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 1) { memory in
        memory[0] = UInt64(tag).littleEndian
        return UnsafeRawPointer(memory.baseAddress!).load(as: Value.self)
      }
      guard let name = enumCaseName(value) else { return nil }
      named.append((String(cString: name), value))
    }
    self.named = named
  }

  /// The number of cases, from the type's metadata.
  ///
  /// The layout is a part of Swift's ABI:
  /// https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst
  private static var count: Int? {
    let metadata = unsafeBitCast(Value.self as Any.Type, to: UnsafeRawPointer.self)
    let enumKind = 0x201
    guard metadata.load(as: Int.self) == enumKind,
      let descriptor = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    else { return nil }
    let countWithValues = descriptor.load(fromByteOffset: 20, as: UInt32.self) & 0xFF_FFFF
    let countWithoutValues = descriptor.load(fromByteOffset: 24, as: UInt32.self)
    guard countWithValues == 0, MemoryLayout<Value>.size <= MemoryLayout<UInt64>.size else {
      return nil
    }
    return Int(countWithoutValues)
  }
}

/// Returns the name of a value's case. `print` calls it for enums that do not describe themselves;
/// coding keys do.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

// MARK: - Decoder

/// A decoder that notes the types of coding keys, and has no values.
private struct KeyTypeDecoder: Decoder {
  final class Found {
    var keyTypes: [any CodingKey.Type] = []
  }

  struct NoValue: Error {}

  let userInfo: [CodingUserInfoKey: Any]
  let found = Found()
  var codingPath: [any CodingKey] { [] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    found.keyTypes.append(type)
    return KeyedDecodingContainer(EmptyContainer())
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoValue() }

  /// A container that throws for each key.
  private struct EmptyContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { throw NoValue() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      throw NoValue()
    }
    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type,
      forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw NoValue() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw NoValue()
    }
    func superDecoder() throws -> any Decoder { throw NoValue() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw NoValue() }
  }
}
