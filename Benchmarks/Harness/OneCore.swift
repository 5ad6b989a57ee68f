internal import Foundation
internal import Glibc

/// Runs work with all threads of the process on one core.
///
/// Which core a woken thread gets is up to the kernel. To wake a core that sleeps takes ten
/// microseconds in a virtual machine, more than all that is measured, and no time on the core that
/// is awake: two runs of a program differ by half.
enum OneCore {
  private typealias Cores = [UInt64]
  private typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32

  /// Runs `body`, on all cores if the C library cannot tell or set them.
  static func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    var cores = Cores(repeating: 0, count: 16)
    guard let get = function("sched_getaffinity"), let set = function("sched_setaffinity"),
      get(0, cores.count * 8, &cores) == 0, let word = cores.firstIndex(where: { $0 != 0 })
    else { return try body() }
    var one = Cores(repeating: 0, count: cores.count)
    one[word] = 1 << UInt64(cores[word].trailingZeroBitCount)
    move(to: &one, set)
    defer { move(to: &cores, set) }
    return try body()
  }

  /// The header declares it for GNU programs only.
  private static func function(_ name: String) -> Affinity? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Affinity.self) }
  }

  /// Moves the threads of the process to some cores. Later threads begin where they are started.
  private static func move(to cores: inout Cores, _ set: Affinity) {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for thread in threads.compactMap(pid_t.init) { _ = set(thread, cores.count * 8, &cores) }
  }
}
