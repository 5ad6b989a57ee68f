import Testing

extension LookScheduleTests {
  // MARK: Waiters

  @Test func `a waiter gets the result of a look that begins after it asked`() throws {
    try expect(
      """
      ask a       → look
      ask b       → nothing
      ask c       → nothing
      some        → notify, answer a, look
      none        → answer b c, pause 0.2
      pause ends  → look
      """
    )
  }

  @Test func `an unsettled file keeps waiters waiting for the next look`() throws {
    try expect(
      """
      ask a       → look
      unsettled   → pause 0.2
      pause ends  → look
      unsettled   → pause 0.3
      ask b       → look
      ask c       → nothing
      unsettled   → look
      none        → answer a b c, pause 0.2
      """
    )
  }

  @Test func `a file that stays unsettled answers waiters after the last look`() throws {
    var script = LookScript()
    try script.rest()
    _ = try script.run("ask a")
    let results = try script.runSequence("unsettled")
    #expect(results.suffix(2) == ["pause 512", "answer a, rest"])
    #expect(results.filter { $0.contains("answer") }.count == 1)
  }

  @Test func `a waiter that asks during the last look gets another sequence`() throws {
    var script = LookScript()
    try script.rest()
    _ = try script.run("event")
    var actions: [String] = []
    while actions != ["pause 512"] {
      _ = try script.run("pause ends")
      actions = try script.run("none")
    }
    #expect(try script.run("pause ends") == ["look"])
    #expect(try script.run("ask a") == ["nothing"])
    #expect(try script.run("unsettled") == ["look"])
    #expect(try script.run("unsettled") == ["pause 0.2"])
  }

  // MARK: Ticks

  @Test func `a tick looks once, and the probe rests when there is nothing`() throws {
    try expect(
      """
      tick        → notify tick, look
      none        → rest
      tick        → notify tick, look
      none        → rest
      """
    )
  }

  @Test(arguments: [("some", "notify"), ("unsettled", "nothing")])
  func `the probe does not rest when a tick may have found the beginning of a commit`(
    finding: String,
    actions: String
  ) throws {
    try expect(
      """
      tick        → notify tick, look
      \(finding)   → \(actions)
      tick        → notify tick, look
      none        → rest
      """
    )
  }

  @Test func `a tick leaves a sequence alone`() throws {
    try expect(
      """
      event       → look
      tick        → notify tick
      none        → pause 0.2
      tick        → notify tick
      pause ends  → look
      none        → pause 0.3
      """
    )
  }

  @Test func `a tick during the look of a tick is followed by another look`() throws {
    try expect(
      """
      tick        → notify tick, look
      tick        → notify tick
      tick        → notify tick
      none        → look
      none        → rest
      """
    )
  }

  @Test func `an event during the look of a tick begins a sequence`() throws {
    try expect(
      """
      tick        → notify tick, look
      own event   → nothing
      none        → look
      none        → pause 4
      """
    )
  }

  @Test func `a waiter that asks during the look of a tick begins a sequence`() throws {
    try expect(
      """
      tick        → notify tick, look
      ask a       → nothing
      unsettled   → look
      none        → answer a, pause 0.2
      """
    )
  }

  // MARK: Files

  @Test func `a replaced file notifies before the look`() throws {
    try expect(
      """
      file second → nothing
      tick        → notify tick, replace, notify, look
      none        → rest
      no file     → nothing
      event       → replace, notify, look
      none        → pause 0.2
      pause ends  → look
      file third  → nothing
      none        → pause 0.3
      pause ends  → replace, notify, look
      """
    )
  }

  @Test func `a file that was replaced while inactive is not reported`() throws {
    try expect(
      """
      deactivate  → not ready, stop watching, rest
      file second → nothing
      activate    → adopt, watch, tick every 1 s, adopt, ready, look
      """
    )
  }

  @Test func `attached files are watched from the look that has seen them`() throws {
    try expect(
      """
      attach x    → nothing
      event       → look
      some        → watch x, tick every 1 s, notify, pause 0.2
      attach y    → nothing
      pause ends  → look
      none        → watch x y, tick every 1 s, pause 0.3
      pause ends  → look
      none        → pause 0.5
      """
    )
  }

  @Test func `without events the file is looked at in a shorter interval`() throws {
    try expect(
      fromResting: false,
      """
      watches fail → nothing
      activate    → adopt, watch, tick every 0.05 s, adopt, ready, look
      tick        → watch, tick every 0.05 s, notify tick
      watches work → nothing
      tick        → watch, tick every 1 s, notify tick
      tick        → notify tick
      """
    )
  }

  @Test func `the watches begin again when a directory was lost`() throws {
    try expect(
      """
      directory lost → watch, tick every 1 s, look
      directory lost → watch, tick every 1 s
      none        → look
      """
    )
  }
}
