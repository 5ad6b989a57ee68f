@_spi(Reflection) import Swift

/// The stored properties of a type, in Swift's reflection metadata.
///
/// A key path describes itself by the name of the first property at its offset, which may be
/// another one that takes no space. So these functions of the standard library, which are not
/// public, name the properties of structs.
enum StoredProperties {
  /// Returns the properties of a struct with their names; none for other types.
  static func ofStruct<Record>(_ type: Record.Type) -> [(name: String, PartialKeyPath<Record>)] {
    guard !(type is AnyClass) else { return [] }
    var properties: [(String, PartialKeyPath<Record>)] = []
    _ = _forEachFieldWithKeyPath(of: type, options: ignoreUnknown) { name, property in
      properties.append((String(cString: name), property))
      return true
    }
    return properties.filter { !$0.0.isEmpty }
  }

  /// Returns the names and types of a class's properties, with those of its superclasses; none for
  /// other types.
  static func ofClass(_ type: Any.Type) -> [(name: String, type: Any.Type)] {
    guard type is AnyClass else { return [] }
    var properties: [(String, Any.Type)] = []
    _ = _forEachField(of: type, options: classType) { name, _, type, _ in
      properties.append((String(cString: name), type))
      return true
    }
    return properties.filter { !$0.0.isEmpty }
  }

  // The standard library declares its options as variables.
  private static let classType = _EachFieldOptions(rawValue: 1 << 0)
  private static let ignoreUnknown = _EachFieldOptions(rawValue: 1 << 1)
}
