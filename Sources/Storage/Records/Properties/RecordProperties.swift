@_spi(Reflection) import Swift
internal import Synchronization

/// The columns of a record type's stored properties. They are found once for each type.
final class RecordProperties: @unchecked Sendable {
  // Safe to share: nothing changes but the columns that were looked up.

  /// A property of a struct that takes space: no other property of its type has its offset.
  private struct Field {
    let offset: Int
    let type: ObjectIdentifier
    let column: PropertyColumn
  }

  /// The properties of the types that were looked up.
  private static let known = ValuesByIdentity<RecordProperties>()

  private let naming: PropertyNaming
  private let fields: [Field]
  /// The columns of a struct's properties.
  private let structColumns: [AnyKeyPath: PropertyColumn]
  /// The columns of a class's properties, by the names of the properties.
  private let classColumns: [String: (type: ObjectIdentifier, column: PropertyColumn)]
  /// The columns of a class's properties that were looked up, and how many.
  private let lookedUp = ValuesByIdentity<LookedUp>()
  private let lookedUpCount = Atomic<Int>(0)

  /// The column of a key path, which is kept so that no other key path gets its address.
  private struct LookedUp: @unchecked Sendable {
    // Safe to share: a key path to a property holds no values.
    let property: AnyKeyPath
    let column: PropertyColumn
  }

  init<Record: Decodable>(of type: Record.Type) {
    let naming = PropertyNaming(of: type)
    var fields: [Field] = []
    var structColumns: [AnyKeyPath: PropertyColumn] = [:]
    for (name, property) in StoredProperties.ofStruct(type) {
      let valueType = Swift.type(of: property).valueType
      let column = naming.column(of: name, valueType)
      // Properties of one type that takes no space have equal key paths.
      structColumns[property] =
        structColumns[property] == nil ? column : naming.noColumn(.sameAsOther(name))
      if let offset = MemoryLayout<Record>.offset(of: property), takesSpace(valueType) {
        fields.append(Field(offset: offset, type: ObjectIdentifier(valueType), column: column))
      }
    }
    self.naming = naming
    self.fields = fields
    self.structColumns = structColumns
    classColumns = StoredProperties.ofClass(type).reduce(into: [:]) { columns, property in
      let column =
        columns[property.name] == nil
        ? naming.column(of: property.name, property.type)
        : naming.noColumn(.hasNamesake(property.name))
      columns[property.name] = (ObjectIdentifier(property.type), column)
    }
  }

  /// Returns the column of a property. If no column is known, its name is one of ``UnknownColumn``.
  static func column<Record: Decodable, Value>(
    of property: KeyPath<Record, Value>
  ) -> TypedColumn<Value> {
    let properties = known.value(of: Record.self) { RecordProperties(of: Record.self) }
    let column = properties.column(of: property)
    return TypedColumn(column.name, isJSONText: column.isJSONText)
  }

  private func column<Record, Value>(of property: KeyPath<Record, Value>) -> PropertyColumn {
    if let offset = MemoryLayout<Record>.offset(of: property), MemoryLayout<Value>.size > 0 {
      let type = ObjectIdentifier(Value.self)
      for field in fields where field.offset == offset && field.type == type {
        return field.column
      }
    }
    return columnWithoutOffset(property)
  }

  private func columnWithoutOffset<Record, Value>(
    _ property: KeyPath<Record, Value>
  ) -> PropertyColumn {
    if let column = structColumns[property] { return column }
    guard Record.self is AnyClass else { return naming.noColumn(.notStored(property)) }
    let identity = ObjectIdentifier(property)
    if let known = lookedUp.value(of: identity) { return known.column }
    let column = columnOfClass(property)
    // Key paths that are made while the program runs must not add up.
    if lookedUpCount.add(1, ordering: .relaxed).oldValue < 1_000 {
      _ = lookedUp.add(LookedUp(property: property, column: column), of: identity)
    }
    return column
  }

  /// The description of a stored property ends with the name. A property that takes no space has
  /// the name of the first property at its offset.
  private func columnOfClass<Record, Value>(_ property: KeyPath<Record, Value>) -> PropertyColumn {
    let root = "\\\(_typeName(Record.self, qualified: false))."
    let description = property.debugDescription
    guard description.hasPrefix(root), MemoryLayout<Value>.size > 0,
      let found = classColumns[String(description.dropFirst(root.count))],
      found.type == ObjectIdentifier(Value.self)
    else { return naming.noColumn(.notStored(property)) }
    return found.column
  }
}

/// The column of a property.
struct PropertyColumn {
  let name: String
  let isJSONText: Bool
}

private func takesSpace<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size > 0 }

/// The stored properties of a type, in Swift's reflection metadata.
///
/// A key path describes itself by the name of the first property at its offset, which may be
/// another property that takes no space. So these functions of the standard library, which are not
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

  /// Returns the names and types of a class's properties, with the properties of its superclasses;
  /// none for other types.
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
