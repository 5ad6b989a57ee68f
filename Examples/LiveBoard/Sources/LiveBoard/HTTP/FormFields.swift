import Foundation

/// The fields of a form, as `application/x-www-form-urlencoded`.
struct FormFields {
  private let values: [String: String]

  /// Parses a body. Returns `nil` if it is not the content of a form in UTF-8.
  init?(_ body: [UInt8]) {
    guard let text = String(validating: body, as: UTF8.self) else { return nil }
    var values: [String: String] = [:]
    for field in text.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = parts.map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
      }
      guard decoded.count == 2, let name = decoded[0], let value = decoded[1] else { return nil }
      values[name] = value
    }
    self.values = values
  }

  /// The value of a field.
  subscript(name: String) -> String? { values[name] }
}
