/// A loop's place in the course of moments at which some readers change. One task uses it.
final class MomentCursor {
  /// What there is to be told.
  enum News {
    case moment(Moment)
    case nothing
    case finished
  }

  private let wakeup = Wakeup()
  /// Ends to follow the readers.
  private var endings: [() -> Void] = []
  private var queries: [MomentQuery]?
  /// What fetches the queries together.
  private var reference: SharedReference<Moment>?
  private var position: ReaderPosition?
  private var last: Moment?

  deinit {
    for end in endings { end() }
    reference?.remove(wakeup)
  }

  /// Wakes the loop when a reader changes: it may show another key then.
  func follow<Value>(_ box: ReaderBox<Value>) {
    box.add(wakeup)
    endings.append { [wakeup] in box.remove(wakeup) }
  }

  /// Looks what the queries of the readers have fetched since the last look.
  ///
  /// - Throws: ``NoCommonMoment``.
  func look(_ queries: [MomentQuery]) throws -> News {
    if self.queries != queries { try begin(queries) }
    guard let reference else {
      // There are constants only.
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
    let new = ReferenceRegistry.shared.reference(for: key) { Moment(values: []) }
    new.add(wakeup)
    new.startInBackground()
    reference = new
  }
}
