internal import FoundationEssentials
@_spi(Reflection) import Swift
internal import WellspringSystem

/// The former array of a large result. It is one patch behind the current array.
///
/// Subscribers hold the current array, so a patch would copy it: for a million elements, that takes
/// longer than all else. By the time of the next patch, they have released the former array, which
/// is patched twice instead, in place. If they still hold it, it is copied like any array.
///
/// The copies of a result share one object, which a run uses that has taken the result.
final class SpareElements<Element>: @unchecked Sendable {
  // Safe to share: only the run that has taken the result uses it.

  /// An array of a result.
  final class Version: Sendable {}

  /// The largest size of an array that is kept, in bytes.
  private static var limit: Int { 1 << 28 }
  /// The time of a copy from which on an array is kept, in nanoseconds.
  private let threshold: UInt64

  private struct Spare {
    var elements: [Element]
    /// The patch that makes it the current array.
    let patch: RowPatch
    let rows: [Element]
    /// The array that it becomes.
    let version: Version
  }

  private var spare: Spare?

  /// - Parameter threshold: The time of a copy from which on an array is kept, in nanoseconds.
  init(threshold: UInt64 = 1_000_000) {
    self.threshold = threshold
  }

  /// Whether an array is kept.
  var isKept: Bool { spare != nil }

  /// Patches the current array.
  ///
  /// - Parameters:
  ///   - patch: The patch.
  ///   - rows: The rows that were fetched.
  ///   - elements: The array.
  ///   - version: Identifies this version of the array.
  func apply(
    _ patch: RowPatch,
    _ rows: [Element],
    to elements: inout [Element],
    _ version: inout Version
  ) {
    guard !patch.isEmpty || patch.count != elements.count else { return }
    let old = elements
    let start = MonotonicClock.now
    let wasKept = replaceBySpare(&elements, version)
    patch.apply(to: &elements, rows)
    let isSlow = wasKept || MonotonicClock.now - start >= threshold
    version = Version()
    if isSlow, old.count * MemoryLayout<Element>.stride <= Self.limit {
      spare = Spare(elements: old, patch: patch, rows: rows, version: version)
    }
  }

  /// Replaces the current array by an equal one without other references.
  private func replaceBySpare(_ elements: inout [Element], _ version: Version) -> Bool {
    guard var taken = spare else { return false }
    spare = nil
    guard taken.version === version else { return false }
    elements = []
    swap(&elements, &taken.elements)
    taken.patch.apply(to: &elements, taken.rows)
    return true
  }
}

/// Tells types of values from types with references. An element that is a value can be handed out
/// again with the next result.
enum SharedValues {
  // Guards the known types. Types are examined outside it.
  private static let known = Lock<[ObjectIdentifier: Bool]>([:])

  /// Whether elements of a type are values, made of a row alone: numbers, texts and similar types,
  /// or structs of these.
  ///
  /// The content of a record's `databaseDecodingUserInfo` is not known.
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

/// A type whose values hold values of other types.
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
