internal import Foundation

/// A thread for calls that block.
package enum OwnThread {
  /// Runs a closure on a thread of its own.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) -> Task<Result, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Result.self)
    Thread.detachNewThread {
      do {
        continuation.yield(try body())
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    return Task {
      for try await result in stream { return result }
      throw CancellationError()
    }
  }
}
