/// Thrown when the sides did different work, so that their times cannot be compared.
struct ChecksumMismatch: Error, CustomStringConvertible {
  let ours: Int
  let baseline: Int

  var description: String {
    "the sides have different results (checksums \(ours) and \(baseline)) and cannot be compared"
  }
}
