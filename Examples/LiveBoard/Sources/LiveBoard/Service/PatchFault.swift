import Foundation
import Sharing

/// A fault in the patches, which the test of the page must notice. Nothing else sets it.
enum PatchFault: String {
  case insert, remove, update, move

  /// The fault that the environment names.
  static let current = ProcessInfo.processInfo.environment["LIVEBOARD_PATCH_FAULT"]
    .flatMap(PatchFault.init)

  /// Makes a patch wrong.
  func apply(to event: inout BoardEvent) {
    switch self {
    case .insert: event.inserted = event.inserted.map { .init(index: 0, element: $0.element) }
    case .remove: event.removed = event.removed.map { max($0 - 1, 1) }
    case .update: event.updated.removeAll { if case .item = $0.element { true } else { false } }
    case .move: event.moved = event.moved.map { .init(from: $0.from, to: $0.to + 1) }
    }
  }
}
