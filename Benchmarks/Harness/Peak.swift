internal import Foundation

/// The memory and the descriptors of processes.
enum Peak {
  /// Begins to measure the largest memory again.
  static func reset() {
    try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  }

  /// The largest resident memory of this process since ``reset()``.
  static var megabytes: Int { number(of: "VmHWM", in: "/proc/self/status") / 1024 }

  /// The largest resident memory of a process.
  static func megabytes(of process: Int32) -> Int {
    number(of: "VmHWM", in: "/proc/\(process)/status") / 1000
  }

  /// The memory of a process now, in which shared pages count in part, in kilobytes.
  static func proportionalKilobytes(of process: Int32) -> Int {
    number(of: "Pss", in: "/proc/\(process)/smaps_rollup")
  }

  /// How many file descriptors a process has now.
  static func descriptors(of process: Int32) -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count) ?? 0
  }

  private static func number(of field: String, in path: String) -> Int {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(field + ":") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }
}
