internal import FoundationEssentials
internal import Glibc

/// Reads keys from the terminal at standard input, on a thread of its own.
enum Keyboard {
  /// Starts to read, until standard input ends.
  ///
  /// - Parameter handle: Called with the keys that were read at once.
  static func start(_ handle: @escaping @Sendable ([Key]) -> Void) {
    guard isatty(STDIN_FILENO) == 1 else { return }
    // In the background, reading fails instead of stopping the process.
    signal(SIGTTIN, SIG_IGN)
    BlockingThread.start {
      var buffer = [UInt8](repeating: 0, count: 256)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 {
          handle(Key.keys(of: buffer.prefix(count)))
        } else if count < 0, errno == EIO, tcgetpgrp(STDIN_FILENO) != getpgrp() {
          usleep(200_000)
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
  }
}
