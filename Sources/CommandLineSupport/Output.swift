internal import Glibc

/// A file descriptor to which complete texts are written.
package struct Output {
  /// The reason why a text could not be written.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The reader has closed the pipe or the terminal.
    case closed
    /// The system call failed with this `errno`.
    case refused(Int32)

    package var description: String {
      switch self {
      case .closed: "the reader of the output has closed it"
      case .refused(let code): "cannot write the output: \(String(cString: strerror(code)))"
      }
    }
  }

  package static let standardOutput = Output(descriptor: STDOUT_FILENO)
  package static let standardError = Output(descriptor: STDERR_FILENO)

  package let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// Opens `/dev/null` for each standard descriptor that is closed at the start of the process.
  ///
  /// Otherwise a file that is opened later could get such a descriptor, and output would be written
  /// to that file.
  package static func occupyStandardDescriptors() {
    var descriptor: Int32
    repeat {
      descriptor = open("/dev/null", O_RDONLY)
    } while descriptor >= 0 && descriptor <= STDERR_FILENO
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether the output is a terminal.
  package var isTerminal: Bool { isatty(descriptor) == 1 }

  /// Writes the whole text without buffering, with one system call if possible.
  ///
  /// - Throws: ``Failure``. A part of the text may have been written.
  package func write(_ text: String) throws(Failure) {
    try write(Array(text.utf8))
  }

  /// Writes all bytes without buffering, with one system call if possible.
  ///
  /// - Throws: ``Failure``. A part of the bytes may have been written.
  package func write(_ bytes: [UInt8]) throws(Failure) {
    var offset = 0
    while offset < bytes.count {
      let (count, code) = bytes.withUnsafeBytes { buffer in
        let count = Glibc.write(descriptor, buffer.baseAddress! + offset, buffer.count - offset)
        return (count, errno)
      }
      if count >= 0 {
        offset += count
      } else {
        try recover(from: code)
      }
    }
  }

  /// Returns when writing can be tried again.
  private func recover(from code: Int32) throws(Failure) {
    switch code {
    case EINTR:
      return
    case EAGAIN:
      // Another process that shares the descriptor has made it non-blocking.
      var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&output, 1, -1)
    case EPIPE, ECONNRESET:
      throw .closed
    case EIO where hasHungUp:
      throw .closed
    default:
      throw .refused(code)
    }
  }

  /// Whether the descriptor is a terminal that was closed.
  private var hasHungUp: Bool {
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLHUP) != 0
  }

  /// Waits without a time limit until the reader closes the output.
  package func waitUntilClosed() {
    let closed = Int16(POLLERR | POLLHUP | POLLNVAL)
    var output = pollfd(fd: descriptor, events: 0, revents: 0)
    while output.revents & closed == 0 {
      guard poll(&output, 1, -1) >= 0 || errno == EINTR else { return }
    }
  }
}
