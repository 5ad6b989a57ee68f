import Foundation

/// Runs one input of the fuzzer through the target that `FUZZ_TARGET` names.
@_cdecl("LLVMFuzzerTestOneInput")
public func runInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let data = Data(bytes: bytes, count: count)
  FuzzTarget.chosen.run(data)
  return 0
}

/// Something that takes bytes or text from outside.
///
/// A run must not stop the program. It checks its result with `precondition`.
struct FuzzTarget: Sendable {
  let name: String
  let run: @Sendable (Data) -> Void

  static let all = [
    dates, patterns, changesets, statements, json, uris, arguments, keys, pages,
  ]

  static let chosen: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
    guard let target = all.first(where: { $0.name == name }) else {
      fatalError("FUZZ_TARGET is one of \(all.map(\.name).joined(separator: ", "))")
    }
    return target
  }()
}
