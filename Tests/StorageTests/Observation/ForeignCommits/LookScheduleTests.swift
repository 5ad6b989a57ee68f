import Testing

/// Which actions follow from which events. ``LookScript`` explains the text.
@Suite struct LookScheduleTests {
  /// Expects that a script leads to its actions, from before the activation or from a state in
  /// which no look is due.
  func expect(
    fromResting isResting: Bool = true,
    _ script: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let result = try LookScript.run(script, isResting: isResting)
    #expect(result == script, sourceLocation: sourceLocation)
  }

  // MARK: Activity

  @Test func `activation adopts before and after the watches begin, then looks`() throws {
    try expect(
      fromResting: false,
      """
      activate    → adopt, watch, tick every 1 s, adopt, ready, look
      activate    → nothing
      none        → pause 0.2
      """
    )
  }

  @Test func `nothing happens before the activation`() throws {
    try expect(
      fromResting: false,
      """
      event       → nothing
      tick        → nothing
      deactivate  → nothing
      ask a       → answer a
      """
    )
  }

  @Test func `deactivation ends the watches, and a pause that is running`() throws {
    try expect(
      """
      event       → look
      none        → pause 0.2
      deactivate  → not ready, stop watching, rest
      pause ends  → nothing
      event       → nothing
      tick        → nothing
      activate    → adopt, watch, tick every 1 s, adopt, ready, look
      pause ends  → nothing
      none        → pause 0.2
      old pause ends → nothing
      pause ends  → look
      """
    )
  }

  @Test func `deactivation answers all waiters, and drops the result of the look`() throws {
    try expect(
      """
      ask a       → look
      ask b       → nothing
      deactivate  → not ready, answer a b, stop watching, rest
      some        → nothing
      activate    → adopt, watch, tick every 1 s, adopt, ready, look
      """
    )
  }

  @Test func `deactivation during a pause answers the waiters of the look to come`() throws {
    try expect(
      """
      ask a       → look
      unsettled   → pause 0.2
      deactivate  → not ready, answer a, stop watching, rest
      """
    )
  }

  @Test func `a schedule activated during a look from before looks again after it`() throws {
    try expect(
      """
      event       → look
      deactivate  → not ready, stop watching, rest
      activate    → adopt, watch, tick every 1 s, adopt, ready
      some        → notify, look
      none        → pause 0.2
      """
    )
  }

  @Test func `a look from before an activation answers no waiter`() throws {
    try expect(
      """
      event       → look
      deactivate  → not ready, stop watching, rest
      activate    → adopt, watch, tick every 1 s, adopt, ready
      ask a       → nothing
      none        → look
      none        → answer a, pause 0.2
      """
    )
  }

  @Test func `a look asked for before a deactivation is not repeated after it`() throws {
    try expect(
      """
      event       → look
      event       → nothing
      deactivate  → not ready, stop watching, rest
      none        → nothing
      activate    → adopt, watch, tick every 1 s, adopt, ready, look
      none        → pause 0.2
      """
    )
  }

  @Test func `a stop answers waiters, and nothing follows it`() throws {
    try expect(
      """
      ask a       → look
      ask b       → nothing
      stop        → not ready, answer a b, stop watching, rest
      some        → nothing
      activate    → nothing
      event       → nothing
      tick        → nothing
      ask c       → answer c
      stop        → nothing
      """
    )
  }

  @Test func `a schedule that is stopped while inactive cannot be activated`() throws {
    try expect(
      fromResting: false,
      """
      stop        → nothing
      activate    → nothing
      """
    )
  }

  // MARK: Events

  @Test func `looks follow an event, whatever they find`() throws {
    try expect(
      """
      event       → look
      unsettled   → pause 0.2
      pause ends  → look
      some        → notify, pause 0.3
      pause ends  → look
      none        → pause 0.5
      pause ends  → look
      """
    )
  }

  @Test(arguments: ["none", "unsettled"])
  func `the probe rests after the last look of a sequence`(finding: String) throws {
    var script = LookScript()
    try script.rest()
    #expect(try script.run("event") == ["look"])
    let results = try script.runSequence(finding)
    #expect(results.count == 20)
    #expect(results.suffix(2) == ["pause 512", "rest"])
    #expect(try script.run("pause ends") == ["nothing"])
  }

  @Test func `an event that own commits explain is followed by fewer looks`() throws {
    try expect(
      """
      own event   → look
      none        → pause 4
      pause ends  → look
      none        → pause 4
      pause ends  → look
      none        → pause 8
      """
    )
  }

  @Test func `no look follows where no commit is being written`() throws {
    try expect(
      """
      own event   → look
      unsettled   → pause 4
      pause ends  → look
      settled     → rest
      pause ends  → nothing
      event       → look
      some        → notify, pause 0.2
      pause ends  → look
      settled     → rest
      event       → look
      ask a       → nothing
      settled     → look
      settled     → answer a, rest
      """
    )
  }

  @Test func `an event during a pause begins another sequence, and the pause does nothing`() throws
  {
    try expect(
      """
      event       → look
      none        → pause 0.2
      event       → look
      pause ends  → nothing
      none        → pause 0.2
      old pause ends → nothing
      pause ends  → look
      none        → pause 0.3
      own event   → look
      none        → pause 4
      old pause ends → nothing
      event       → look
      none        → pause 0.2
      """
    )
  }

  @Test func `an event during a look is followed by another look and a sequence`() throws {
    try expect(
      """
      event       → look
      none        → pause 0.2
      pause ends  → look
      event       → nothing
      event       → nothing
      some        → notify, look
      none        → pause 0.2
      """
    )
  }
}
