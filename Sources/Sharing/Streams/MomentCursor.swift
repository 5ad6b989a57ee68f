/// The position of a loop in the sequence of moments at which any of several readers changes.
///
/// Only one task uses it.
final class MomentCursor {
  /// The result of a poll.
  enum Update {
    case moment(Moment)
    case nothing
    case finished
  }

  private let wakeup = Wakeup()
  /// Closures that stop following the readers.
  private var endings: [() -> Void] = []
  private var queries: [MomentQuery]?
  /// The reference that fetches the queries together.
  private var reference: SharedReference<Moment>?
  private var position: ReaderPosition?
  private var last: Moment?

  deinit {
    for end in endings { end() }
    reference?.remove(wakeup)
  }

  /// Wakes the loop when a reader changes, because the reader may then show another key.
  func follow<Value>(_ box: ReaderBox<Value>) {
    box.add(wakeup)
    endings.append { [wakeup] in box.remove(wakeup) }
  }

  /// Returns the newest moment of the queries if there is a new one since the last poll.
  ///
  /// - Throws: ``NoCommonMoment``.
  func poll(_ queries: [MomentQuery]) throws -> Update {
    if self.queries != queries { try begin(queries) }
    guard let reference else {
      // All readers show constants.
      defer { position = ReaderPosition() }
      return position == nil ? .moment(Moment(values: [])) : .nothing
    }
    let status = reference.status()
    if !status.isPlaceholder, status.valuePosition != position {
      position = status.valuePosition
      if last != status.value {
        last = status.value
        return .moment(status.value)
      }
    }
    return status.isFinished ? .finished : .nothing
  }

  func wait(isolation: isolated (any Actor)?) async { await wakeup.wait(isolation: isolation) }

  private func begin(_ queries: [MomentQuery]) throws {
    reference?.remove(wakeup)
    reference = nil
    position = nil
    last = nil
    self.queries = queries
    guard let first = queries.first else { return }
    guard queries.allSatisfy({ $0.database === first.database }) else {
      self.queries = nil
      throw NoCommonMoment.differentDatabases
    }
    let key = FetchKey(MomentRequest(queries: queries), database: first.database)
    // The readers report the failures of their queries.
    let new = ReferenceRegistry.shared.reference(for: key, reportsFailures: false) {
      Moment(values: [])
    }
    new.add(wakeup)
    new.startInBackground()
    reference = new
  }
}
