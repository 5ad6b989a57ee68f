enum Response { case ok, serviceUnavailable }
func respond(with response: Response) {}
struct ActivityMetrics: DatabaseInstrument {
  func record(_ activity: DatabaseActivity) {}
}
func show(_ items: [Item]) {}
