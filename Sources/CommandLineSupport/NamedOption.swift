/// An option whose value is one of several words.
package protocol NamedOption: CaseIterable, RawRepresentable where RawValue == String {}

extension NamedOption {
  /// Returns the case with a name.
  ///
  /// - Throws: ``UsageError`` with the names of all cases.
  package static func named(_ name: String, option: String = "format") throws -> Self {
    guard let value = Self(rawValue: name) else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("--\(option) needs one of \(names), not \(name)")
    }
    return value
  }
}
