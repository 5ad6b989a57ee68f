import CommandLineSupport
import Dispatch
import Glibc
import Testing

@testable import DemoCLI

@Suite struct OutputTests {
  @Test func `a long text is written completely to a full, non-blocking pipe once it is read`()
    async throws
  {
    let ends = try makePipe()
    _ = fcntl(ends.write, F_SETFL, O_NONBLOCK)
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
    async let writing: Void = withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result {
            defer { close(ends.write) }
            try Output(descriptor: ends.write).write(bytes)
          }
        )
      }
    }
    let read = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: readToEnd(ends.read)) }
    }
    try await writing
    #expect(read == bytes)
  }

  @Test func `writing to a closed pipe and to a full device are different failures`() throws {
    let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(full) }
    #expect(throws: Output.Failure.refused(ENOSPC)) { try Output(descriptor: full).write("x") }
    signal(SIGPIPE, SIG_IGN)
    let ends = try makePipe()
    defer { close(ends.write) }
    close(ends.read)
    #expect(throws: Output.Failure.closed) { try Output(descriptor: ends.write).write("x") }
  }
}

/// Reads until the other end is closed, and closes this end.
private func readToEnd(_ descriptor: Int32) -> [UInt8] {
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1000)
  while true {
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return bytes }
    bytes += buffer.prefix(count)
  }
}
