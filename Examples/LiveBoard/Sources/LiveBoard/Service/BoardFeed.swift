import Sharing

/// Sends the board to the clients, each at the speed of its own connection.
struct BoardFeed: Sendable {
  @SharedReader var board: [BoardElement]

  init(_ pool: DatabasePool) async throws {
    _board = try await SharedReader(require: .fetch(Board(), database: pool))
  }

  /// Starts a stream, which ends with its connection or the database.
  func makeStream() -> EventStream {
    let stream = EventStream()
    let task = Task { await send(to: stream) }
    stream.onClose { task.cancel() }
    return stream
  }

  /// Sends the whole state, and then patches. A client that falls behind gets no more patches. When
  /// it has received what waits for it, a new loop begins, whose first changes are the whole state.
  func send(to stream: EventStream) async {
    _ = stream.send(Array("retry: 500\n\n".utf8))
    var isBehind = true
    while isBehind {
      isBehind = false
      var name = "state"
      for await changes in $board.changes(id: \.id) {
        var event = BoardEvent(changes)
        if name == "patch" { PatchFault.current?.apply(to: &event) }
        let outcome = stream.send(event.bytes(named: name))
        if outcome == .isClosed { return }
        isBehind = outcome == .isBehind
        if isBehind { break }
        name = "patch"
      }
      await stream.waitUntilSent()
    }
    // The database is closed.
    stream.end()
  }
}
