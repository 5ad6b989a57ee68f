import Testing

@testable import DemoCLI

@Suite struct LatenciesTests {
  @Test func `a percentile is the smallest time that the share does not exceed`() {
    let latencies = Latencies((1...1000).map { Int64($0) }.shuffled())
    #expect(latencies.percentile(0.5) == 500)
    #expect(latencies.percentile(0.999) == 999)
    #expect(latencies.percentile(1) == 1000)
    #expect(Latencies([7]).percentile(0.01) == 7)
    #expect(Latencies([]).percentile(0.5) == nil)
  }

  @Test func `the buckets of the histogram double, and contain each time once`() {
    let latencies = Latencies([999, 1_000, 1_999, 2_000, 9_000])
    #expect(
      latencies.histogram == [
        .init(bound: 1_000, count: 1), .init(bound: 2_000, count: 2),
        .init(bound: 4_000, count: 1), .init(bound: 8_000, count: 0),
        .init(bound: 16_000, count: 1),
      ]
    )
  }

  @Test(arguments: [
    (0, "0.00 µs"), (1_250, "1.25 µs"), (12_340, "12.3 µs"), (512_000, "512 µs"),
    (1_049_000, "1.05 ms"), (128_000_000, "128 ms"), (2_500_000_000, "2.50 s"),
  ])
  func `a time has three digits`(nanoseconds: Int, text: String) {
    #expect(Latencies.text(Int64(nanoseconds)) == text)
  }

  @Test func `a progress bar fills with the share`() {
    let half = String(repeating: "#", count: 15) + String(repeating: ".", count: 15)
    #expect(ProgressBar.text(0.5, "12 commits") == "[\(half)] 50 %  12 commits")
    #expect(ProgressBar.text(1, "").hasPrefix("[\(String(repeating: "#", count: 30))] 100 %"))
  }
}
