internal import Glibc

/// What the rounds of all benchmarks have in common.
enum Memory {
  /// Keeps freed memory in the process.
  ///
  /// Otherwise the allocator gives large arrays back to the kernel or keeps them, depending on what
  /// was freed before. A fetch of either side then takes a quarter longer in one run than in
  /// another, for the kernel's clearing of pages.
  static func keepFreed() {
    // https://man7.org/linux/man-pages/man3/mallopt.3.html: Swift's Glibc module lacks malloc.h.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    typealias Mallopt = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
    let mallopt = unsafeBitCast(symbol, to: Mallopt.self)
    let trimThreshold: Int32 = -1
    let mmapThreshold: Int32 = -3
    _ = mallopt(trimThreshold, .max)
    // The most that the allocator accepts.
    _ = mallopt(mmapThreshold, 32 << 20)
  }
}
