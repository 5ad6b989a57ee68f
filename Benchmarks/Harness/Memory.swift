internal import Glibc

/// The settings of the memory allocator during all benchmarks.
enum Memory {
  /// Keeps freed memory in the process.
  ///
  /// Otherwise the allocator may or may not return large arrays to the kernel, depending on the
  /// memory that was freed before. Because the kernel clears pages, a fetch of either side would
  /// then take a quarter longer in some runs.
  static func keepFreed() {
    // https://man7.org/linux/man-pages/man3/mallopt.3.html: Swift's Glibc module lacks malloc.h.
    guard let symbol = dlsym(nil, "mallopt") else { return }
    typealias Mallopt = @convention(c) (_ option: Int32, _ value: Int32) -> Int32
    let mallopt = unsafeBitCast(symbol, to: Mallopt.self)
    let trimThreshold: Int32 = -1
    let mmapThreshold: Int32 = -3
    _ = mallopt(trimThreshold, .max)
    // The largest threshold that the allocator accepts.
    _ = mallopt(mmapThreshold, 32 << 20)
  }
}
