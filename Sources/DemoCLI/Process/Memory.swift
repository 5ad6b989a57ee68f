internal import Glibc

/// The memory of the process.
enum Memory {
  /// Lets all threads allocate from one heap.
  ///
  /// Otherwise each thread has a heap of its own, and keeps the memory that it frees. Here few
  /// threads work at the same time.
  static func shareBetweenThreads() {
    // Swift's module Glibc lacks the header of this function.
    typealias SetOption = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
    guard let function = dlsym(nil, "mallopt") else { return }
    let maximumHeaps: Int32 = -8
    _ = unsafeBitCast(function, to: SetOption.self)(maximumHeaps, 1)
  }
}
