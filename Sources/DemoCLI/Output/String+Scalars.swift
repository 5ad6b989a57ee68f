extension StringProtocol {
  /// Returns the string with each occurrence of a scalar replaced.
  ///
  /// `replacing(_:with:)` compares characters, and a quote that a combining mark follows is another
  /// character.
  func replacingScalar(_ scalar: Unicode.Scalar, with replacement: String) -> String {
    var result = String.UnicodeScalarView()
    for other in unicodeScalars {
      if other == scalar {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(other)
      }
    }
    return String(result)
  }
}
