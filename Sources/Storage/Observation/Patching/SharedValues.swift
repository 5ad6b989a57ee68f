@_spi(Reflection) import Swift

internal import FoundationEssentials
internal import WellspringPlatform

/// Tells types of values from types with references. An element that is a value can be handed out
/// again with the next result.
enum SharedValues {
  // Guards what is known of types. They are looked at outside it.
  private static let known = Lock<[ObjectIdentifier: Bool]>([:])

  /// Whether elements of a type are values, made of a row alone: of numbers, texts and the like, or
  /// structs of these.
  ///
  /// Nothing is known of what the `databaseDecodingUserInfo` of a record holds.
  static func isValue(_ type: Any.Type) -> Bool {
    let isKnown = known.withLock { $0[ObjectIdentifier(type)] }
    let isValue = isKnown ?? holdsValues(type, depth: 0)
    if isKnown == nil { known.withLock { $0[ObjectIdentifier(type)] = isValue } }
    return isValue
      && (type as? any FetchableRecord.Type)?.databaseDecodingUserInfo.isEmpty ?? true
  }

  private static func holdsValues(_ type: Any.Type, depth: Int) -> Bool {
    if types.contains(ObjectIdentifier(type)) { return true }
    guard depth < 8 else { return false }
    if let container = type as? any ValueContainer.Type {
      return container.contents.allSatisfy { holdsValues($0, depth: depth + 1) }
    }
    guard !(type is AnyClass), !(type is any _Pointer.Type), type != OpaquePointer.self else {
      return false
    }
    // A type begins with its kind, a word:
    // https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeMetadata.rst
    let kind = unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee
    var fields: [Any.Type] = []
    // Functions and existential types have no fields that could be looked at.
    if _MetadataKind(rawValue: kind) == .struct,
      _forEachField(
        of: type,
        options: [],
        body: { _, _, type, _ in
          fields.append(type)
          return true
        }
      ), !fields.isEmpty
    {
      return fields.allSatisfy { holdsValues($0, depth: depth + 1) }
    }
    return isTrivial(type)
  }

  /// Whether a value is copied bit by bit: it has no references.
  private static func isTrivial(_ type: Any.Type) -> Bool {
    func isTrivial<Value>(_ type: Value.Type) -> Bool { _isPOD(type) }
    return _openExistential(type, do: isTrivial)
  }

  /// Types that may be objects inside, and do not show it.
  private static let types = Set(
    ([
      String.self, Substring.self, Data.self, URL.self, UUID.self, Date.self, Decimal.self,
      DatabaseValue.self, Row.self,
    ] as [Any.Type])
    .map { ObjectIdentifier($0) }
  )
}

/// A type whose values hold those of others.
private protocol ValueContainer {
  static var contents: [Any.Type] { get }
}

extension Optional: ValueContainer {
  fileprivate static var contents: [Any.Type] { [Wrapped.self] }
}

extension Array: ValueContainer {
  fileprivate static var contents: [Any.Type] { [Element.self] }
}

extension Set: ValueContainer {
  fileprivate static var contents: [Any.Type] { [Element.self] }
}

extension Dictionary: ValueContainer {
  fileprivate static var contents: [Any.Type] { [Key.self, Value.self] }
}
