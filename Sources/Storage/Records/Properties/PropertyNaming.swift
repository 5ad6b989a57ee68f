/// The names of a record type's columns.
struct PropertyNaming {
  private let recordType: any Decodable.Type
  private let keys: CodingKeyNames

  init(of recordType: any Decodable.Type) {
    self.recordType = recordType
    keys = CodingKeyNames(of: recordType)
  }

  /// Returns the column of a property.
  func column(of property: String, _ type: Any.Type) -> PropertyColumn {
    guard !keys.ambiguousNames.contains(property) else { return noColumn(.twoKeys(property)) }
    guard let key = keys.keys[property] else {
      return noColumn(keys.areUnknown ? .unknownKeys(property) : .noKey(property))
    }
    let decoding = (recordType as? any FetchableRecord.Type)?.databaseColumnDecodingStrategy
    let column: String
    if let encodable = recordType as? any (EncodableRecord & Encodable).Type {
      column = encodable.databaseColumnEncodingStrategy.columnName(of: key)
    } else if case .convertFromSnakeCase = decoding {
      column = SnakeCase.snakeCased(key.stringValue)
    } else {
      column = key.stringValue
    }
    if let decoding {
      let name = decoding.keyName(ofColumn: column)
      guard name.lowercased() == key.stringValue.lowercased() else {
        return noColumn(.otherStrategy(property, column: column))
      }
    }
    return PropertyColumn(name: column, isJSONText: holdsJSON(type))
  }

  /// Why a property has no column.
  enum Obstacle {
    /// The key path leads to a computed property, or to a part of a property.
    case notStored(AnyKeyPath)
    /// Another property is at the same offset.
    case sameAsOther(String)
    /// A class and its superclass have private properties of one name.
    case hasNamesake(String)
    case noKey(String)
    case unknownKeys(String)
    case twoKeys(String)
    case otherStrategy(String, column: String)
  }

  /// Returns a name that represents the error of a property without a column.
  func noColumn(_ obstacle: Obstacle) -> PropertyColumn {
    let type = _typeName(recordType, qualified: false)
    let (property, reason) =
      switch obstacle {
      case .notStored(let keyPath):
        (
          "name",
          """
          no stored property of \(type) is at this key path to \(Self.valueType(of: keyPath)): it is \
          computed, lazy, nested or overridable, or it has a wrapper or observers, or \(type) was \
          compiled without reflection metadata
          """
        )
      case .sameAsOther(let name):
        (name, "Swift cannot tell \(type).\(name) from another property that takes no space")
      case .hasNamesake(let name):
        (name, "\(type) and its superclasses have several properties \(name)")
      case .noKey(let name):
        (name, "\(type).\(name) has no coding key of this name")
      case .unknownKeys(let name):
        (name, "the coding keys of \(type), and so that of \(name), are not known to Swift")
      case .twoKeys(let name):
        (name, "\(type).\(name) has two coding keys")
      case .otherStrategy(let name, let column):
        (
          name,
          """
          \(type).\(name) is written to the column \(column), from which it is not read: the \
          strategies of the record differ
          """
        )
      }
    var advice = ""
    if case .notStored = obstacle {
      advice = #"Write a closure for a part of a property, as in order { $0.address["city"] }. "#
    }
    let name = UnknownColumn.name(
      """
      \(reason). \(advice)Declare its column in the type: enum Columns: RecordColumns \
      { typealias Record = \(type); static let \(property) = Column("\(property)") }
      """
    )
    return PropertyColumn(name: name, isJSONText: false)
  }

  private static func valueType(of keyPath: AnyKeyPath) -> String {
    _typeName(Swift.type(of: keyPath).valueType, qualified: false)
  }
}
