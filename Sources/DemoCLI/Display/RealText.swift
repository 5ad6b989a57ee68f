internal import FoundationEssentials
internal import Glibc

/// The text of a floating-point number, as SQLite prints it: 15 digits, so that `0.1 + 0.2` is 0.3.
enum RealText {
  /// Returns the text.
  static func text(_ value: Double) -> String {
    guard value.isFinite else { return value < 0 ? "-Inf" : "Inf" }
    if value == 0 { return "0.0" }
    var buffer = [CChar](repeating: 0, count: 40)
    let length = withVaList([value]) { vsnprintf(&buffer, buffer.count, "%.15g", $0) }
    let text = String(
      decoding: buffer.prefix(Int(length)).map(UInt8.init(bitPattern:)),
      as: UTF8.self
    )
    guard !text.contains(".") else { return text }
    // A number without a fraction is still no integer.
    let end = text.firstIndex(of: "e") ?? text.endIndex
    return text[..<end] + ".0" + text[end...]
  }
}
