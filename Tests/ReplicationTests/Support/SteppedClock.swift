import Foundation
import TestSupport

/// A library that steps the clock of the day back by an hour in each wait that depends on it.
///
/// Only a privileged process can set the clock, and only the clock of the whole machine. A wait
/// that ends at a moment of this clock ends an hour later if the clock is set back by an hour
/// meanwhile. The library has this effect, in a process that loads it before the C library.
enum SteppedClock {
  /// The environment variable that names the file in which the process notes its end.
  static let variable = "WELLSPRING_STEPPED_CLOCK"

  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <semaphore.h>
    #include <time.h>

    int sem_timedwait(sem_t *semaphore, const struct timespec *end) {
      int (*next)(sem_t *, const struct timespec *) = dlsym(RTLD_NEXT, "sem_timedwait");
      struct timespec later = *end;
      later.tv_sec += 3600;
      return next(semaphore, &later);
    }
    """

  /// Compiles the library into a directory, with the compiler of the Swift toolchain.
  ///
  /// - Returns: Its path.
  static func library(in directory: URL) throws -> String {
    let file = directory.appendingPathComponent("clock.c")
    try source.write(to: file, atomically: true, encoding: .utf8)
    let library = directory.appendingPathComponent("clock.so").path
    let process = try Spawn.start([
      "/usr/bin/env", "clang", "-shared", "-fPIC", "-o", library, file.path, "-ldl",
    ])
    Spawn.wait(for: process)
    return library
  }
}
