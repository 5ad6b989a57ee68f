import Replication
import Testing

struct LogPositionTests {
  @Test func `positions are ordered by their numbers`() {
    #expect(LogPosition.start < LogPosition(1))
    #expect(LogPosition(1).next == LogPosition(2))
    #expect(!(LogPosition(3) < LogPosition(3)))
    #expect("\(LogPosition(12))" == "12")
  }
}
