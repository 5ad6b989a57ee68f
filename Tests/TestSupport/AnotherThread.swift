package import Dispatch
internal import Foundation

/// Runs the body on a new thread, and blocks until it has returned: for changes during a fetch,
/// which is not async.
package func onAnotherThread(_ body: @escaping @Sendable () throws -> Void) throws {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: Result<Void, any Error> = .success(())
  Thread.detachNewThread {
    result = Result { try body() }
    done.signal()
  }
  done.wait()
  try result.get()
}

/// Waits for a semaphore on a dispatch queue, because tests must not block Swift's few threads.
package func waitWithoutBlocking(for semaphore: DispatchSemaphore) async {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "waiting").async {
      semaphore.wait()
      continuation.resume()
    }
  }
}
