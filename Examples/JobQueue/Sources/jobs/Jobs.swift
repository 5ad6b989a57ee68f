import Foundation
import JobQueue
import Sharing

@main struct Jobs {
  static func main() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
    let pool = try DatabasePool(path: file)
    try await pool.write { db in try Job.createTables(db) }
    setDefaultDatabase(pool)

    let queue = JobQueue(pool)
    let workers = ["Ada", "Grace", "Edsger"].map { name in
      Worker(name, queue) { job in
        try await Task.sleep(for: .milliseconds(20))
        if job.name == "divide by zero" { throw CancellationError() }
      }
    }
    let dashboard = Dashboard()
    try await withThrowingTaskGroup { group in
      for worker in workers { group.addTask { try await worker.run() } }
      try await queue.add(["resize", "divide by zero", "send", "index", "rotate"])
      try await dashboard.watch { print($0) }
      group.cancelAll()
    }
    dashboard.report.forEach { print($0) }
    print(dashboard.summary)
  }
}
