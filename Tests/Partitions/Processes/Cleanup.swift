import Foundation
import WellspringSystem

/// The cleanup when the process ends, in any way but `SIGKILL`: of processes, namespaces, folders.
///
/// After `SIGKILL`, the kernel ends the processes, and the next lab removes the namespaces and the
/// disks.
enum Cleanup {
  /// One step of the cleanup.
  enum Step: Hashable, Sendable {
    case kill(pid_t)
    case removeNamespaces([String])
    case removeFolder(String)
    case unmount(String)
  }

  // Guards the steps, in the order in which they were added.
  private static let steps = Lock([Step]())

  /// Adds a step. The last added step runs first.
  static func add(_ step: Step) { steps.withLock { $0.append(step) } }

  /// Removes a step, for example the step of a process that has ended.
  static func remove(_ step: Step) { steps.withLock { $0.removeAll { $0 == step } } }

  /// Cleans up when the process ends, and at Ctrl-C.
  static func begin() {
    atexit { Cleanup.run() }
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      Foundation.signal(signal, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: signal, queue: .global())
      source.setEventHandler {
        run()
        _exit(128 + signal)
      }
      source.activate()
      sources.withLock { $0.append(source) }
    }
  }

  // Keeps the sources of signals.
  private static let sources = Lock([any DispatchSourceSignal]())

  private static func run() {
    let all = steps.withLock { steps in
      defer { steps = [] }
      return steps
    }
    for case .kill(let process) in all { kill(process, SIGKILL) }
    for case .kill(let process) in all { waitpid(process, nil, 0) }
    for step in all.reversed() {
      switch step {
      case .kill: break
      case .removeNamespaces(let names): PartitionNetwork.remove(names)
      case .removeFolder(let path): try? FileManager.default.removeItem(atPath: path)
      case .unmount(let path): LabDisk.unmount(path)
      }
    }
  }
}
