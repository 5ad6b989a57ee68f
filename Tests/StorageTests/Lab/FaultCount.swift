import TestSupport

/// Counts the faults of a test, and the calls that they hit. `make lab` prints both.
final class FaultCount {
  private struct Point: Hashable {
    let call: Fault.Call
    let number: Int
  }

  private let name: String
  private var points: Set<Point> = []
  private(set) var faults = 0

  var pointCount: Int { points.count }

  init(_ name: String) { self.name = name }

  /// Counts a fault that has hit its call.
  func add(_ fault: Fault) {
    faults += 1
    points.insert(Point(call: fault.call, number: fault.number))
  }

  func report() {
    if Soak.isFull { print("lab: \(name): \(faults) faults at \(pointCount) calls") }
  }
}
