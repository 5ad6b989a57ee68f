internal import Storage
internal import WellspringSystem

extension ReplicatedDatabase {
  /// Makes a forwarded write, unless the file contains it.
  ///
  /// The answer comes when the log has the write, with each ``ReplicationPromise``.
  ///
  /// - Parameters:
  ///   - request: The request. Its body is not read.
  ///   - write: Writes, and returns the output as JSON.
  /// - Returns: The outcome of the write.
  func answer(
    _ request: WriteRequest,
    _ write: @escaping @Sendable (Database) throws -> [UInt8]
  ) async -> WriteAnswer {
    let answer = await attempt(request) { db in
      do {
        return .output(try write(db))
      } catch {
        // The error tells this refusal from errors of the transaction.
        throw ForwardedWriteError(error)
      }
    }
    guard request.isRetry, case .ended(.refusal(let refusal), _) = answer else { return answer }
    // An earlier attempt may still be on its way, and would not be refused now. Its caller must not
    // be wrong: the row makes the refusal final, and says if the other attempt was first.
    return await attempt(request) { _ in .refusal(refusal) }
  }

  /// How far the closure of an attempt is.
  private enum Progress {
    case waiting
    case begun
    case finished
  }

  /// Makes a write whose row the file does not have, and adds the row.
  private func attempt(
    _ request: WriteRequest,
    _ write: @escaping @Sendable (Database) throws -> WriteResult
  ) async -> WriteAnswer {
    // Guards the progress of the thread that writes.
    let progress = Lock(Progress.waiting)
    do {
      let (result, token) = try await writeReturningToken { [node] db in
        if let result = try WriteIDTable.result(of: request, db) { return result }
        // A primary that was overtaken, and does not know it yet, knows less than the caller.
        guard !node.token.isBefore(request.begun) else {
          throw ReplicationError.notPrimary(address: nil)
        }
        progress.withLock { $0 = .begun }
        let result = try write(db)
        let now = Node.now
        let kept = Int64(clamping: node.options.keptRequestTime.nanoseconds / 1_000_000)
        try WriteIDTable.add(result, of: request.id, at: now, removingBefore: now - kept, db)
        progress.withLock { $0 = .finished }
        return result
      }
      return .ended(result, token)
    } catch let error as ForwardedWriteError {
      return .ended(.refusal(error), lastToken)
    } catch is WriteIDTable.TooLate {
      return .notAccepted(
        "its node was too far behind, or it has come too late: see keptRequestTime."
      )
    } catch let error as ReplicationError {
      return Self.answer(after: error)
    } catch let error as DatabaseError {
      return answer(after: error, progress.withLock { $0 })
    } catch {
      return .notWritten("\(error)")
    }
  }

  private func answer(after error: DatabaseError, _ progress: Progress) -> WriteAnswer {
    switch progress {
    case .waiting: return .notWritten("\(error)")
    case .finished where error.resultCode != .SQLITE_CONSTRAINT:
      // The log may have it: SQLite can fail after its commit.
      return .unknown("\(error)")
    case .begun, .finished: return .ended(.refusal(ForwardedWriteError(error)), lastToken)
    }
  }

  private static func answer(after error: ReplicationError) -> WriteAnswer {
    switch error {
    case .outcomeUnknown, .notLogged: .unknown(error.description)
    case .transactionTooLarge: .notAccepted(error.description)
    default: .notWritten(error.description)
    }
  }
}
